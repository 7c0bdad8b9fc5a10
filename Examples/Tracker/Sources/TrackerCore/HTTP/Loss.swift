import Foundation

/// The reason why the site shows less than it could: the root cause, and the data that is left.
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

  /// The first failure, without a full stop: `the feed at 127.0.0.1:9 refused the connection`.
  public let cause: String

  /// The chain of pebbles from the pebble that failed to the pebble of the screen.
  public let pebbles: [String]

  /// The data that is still there.
  public let left: Left

  /// The page of the run that found the loss: the boot, or a refresh.
  public let page: String

  /// Creates a loss.
  ///
  /// - Parameters:
  ///   - cause: The first failure, without a full stop.
  ///   - pebbles: The pebbles from the root to the screen.
  ///   - left: The data that is still there.
  ///   - page: The page of the run that found the loss.
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

  /// The address that shows the chain of pebbles: the page of the run, with the root selected.
  public var address: String {
    guard let root = pebbles.first?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    else { return page }
    return "\(page)#pebble=\(root)"
  }

  /// Returns the cause and the data that is left, as a clause without a capital letter at the
  /// beginning or a full stop at the end.
  ///
  /// - Parameter now: The current time; launches of the same day are shown without the date.
  /// - Returns: The text, such as `the feed is empty; these launches are of 08:12 UTC`.
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

  /// Returns the cause and the data that is left, as a sentence.
  ///
  /// - Parameter now: The current time; launches of the same day are shown without the date.
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
