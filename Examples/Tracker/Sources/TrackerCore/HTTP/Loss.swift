import Foundation

/// The reason why the site is stale or offline: the root cause, and the data that is still there.
public struct Loss: Sendable, Hashable {
  /// The data that is still there.
  public enum Left: Sendable, Hashable {
    /// Launches, with the time at which they were stored; `nil` if the time was not recorded.
    case launches(of: Date?)

    /// A database without launches.
    case nothing

    /// A database that cannot be read.
    case unknown
  }

  /// The first failure, without a full stop, such as
  /// `the feed at 127.0.0.1:9 refused the connection`.
  public let cause: String

  /// The chain of pebbles from the one that failed to the one that shows the screen.
  public let pebbles: [String]

  /// The data that is still there.
  public let left: Left

  /// The page about the run that found the loss, which is the boot or a refresh.
  public let page: String

  /// Creates a loss.
  ///
  /// - Parameters:
  ///   - cause: The first failure, without a full stop.
  ///   - pebbles: The pebbles from the root cause to the screen.
  ///   - left: The data that is still there.
  ///   - page: The page about the run that found the loss.
  public init(
    cause: String, pebbles: [String] = [], left: Left = .unknown, page: String = "/boot"
  ) {
    (self.cause, self.pebbles, self.left, self.page) = (cause, pebbles, left, page)
  }

  /// The time at which the remaining launches were stored; `nil` if no launches remain, or the time
  /// is unknown.
  public var launchesOf: Date? {
    if case .launches(let date) = left { date } else { nil }
  }

  /// The address of the page about the run, with the first pebble of the chain selected.
  public var address: String {
    guard let root = pebbles.first?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    else { return page }
    return "\(page)#pebble=\(root)"
  }

  /// Returns the cause and a description of the remaining data, as a clause without an initial
  /// capital letter or a full stop.
  ///
  /// - Parameter now: The current time. If the launches were stored on the same day, their date is
  ///   left out.
  /// - Returns: A clause such as `the feed is empty; these launches are of 08:12 UTC`.
  public func clause(at now: Date = Date()) -> String {
    switch left {
    case .launches(of: nil), .unknown: return cause
    case .nothing: return "\(cause); no launches are there from earlier"
    case .launches(of: let date?):
      let (day, time) = Self.parts(of: date)
      let moment = day == Self.parts(of: now).day ? time : "\(day), \(time)"
      return "\(cause); these launches are of \(moment) UTC"
    }
  }

  /// Returns the cause and a description of the remaining data, as a sentence.
  ///
  /// - Parameter now: The current time. If the launches were stored on the same day, their date is
  ///   left out.
  /// - Returns: The sentence.
  public func sentence(at now: Date = Date()) -> String {
    let clause = clause(at: now)
    return clause.prefix(1).uppercased() + clause.dropFirst() + "."
  }

  /// Returns the day and the time, such as `2026-11-26` and `08:12`.
  private static func parts(of date: Date) -> (day: String, time: String) {
    let text = date.formatted(.iso8601)
    return (String(text.prefix(10)), String(text.dropFirst(11).prefix(5)))
  }
}
