import Foundation

/// Why there is less to see than there might be: the root cause, and what is left.
public struct Loss: Sendable, Hashable {
  /// What is still there.
  public enum Left: Sendable, Hashable {
    /// Launches, and when they were stored, if that was noted.
    case launches(of: Date?)

    /// A database without launches.
    case nothing

    /// Whatever is in a database that cannot be read.
    case unknown
  }

  /// What failed first, as a clause: `the feed at 127.0.0.1:9 refused the connection`.
  public let cause: String

  /// The pebbles from the one that failed to the screen, the root first.
  public let pebbles: [String]

  /// What is still there.
  public let left: Left

  /// Where the run is shown that found it: the boot, or a refresh.
  public let page: String

  /// Makes a loss.
  ///
  /// - Parameters:
  ///   - cause: What failed first, as a clause.
  ///   - pebbles: From the root to the screen.
  ///   - left: What is still there.
  ///   - page: Where the run is shown that found it.
  public init(
    cause: String, pebbles: [String] = [], left: Left = .unknown, page: String = "/boot"
  ) {
    (self.cause, self.pebbles, self.left, self.page) = (cause, pebbles, left, page)
  }

  /// When the launches were stored that are still there; `nil` if there are none, or it is not
  /// known.
  public var launchesOf: Date? {
    if case .launches(let date) = left { date } else { nil }
  }

  /// Where the chain of pebbles is shown: the page of the run, with the root chosen.
  public var address: String {
    guard let root = pebbles.first?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    else { return page }
    return "\(page)#pebble=\(root)"
  }

  /// The cause and what is left, as an error is written.
  ///
  /// - Parameter now: Of today's launches only the time is said.
  /// - Returns: A clause.
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

  /// The same for a page: with a capital, and a point at the end.
  ///
  /// - Parameter now: Of today's launches only the time is said.
  /// - Returns: A sentence.
  public func sentence(at now: Date = Date()) -> String {
    let clause = clause(at: now)
    return clause.prefix(1).uppercased() + clause.dropFirst() + "."
  }

  /// Such as `2026-11-26` and `08:12`.
  private static func parts(of date: Date) -> (day: String, time: String) {
    let text = date.formatted(.iso8601)
    return (String(text.prefix(10)), String(text.dropFirst(11).prefix(5)))
  }
}
