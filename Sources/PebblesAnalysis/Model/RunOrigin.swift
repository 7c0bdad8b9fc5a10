import Pebbles

/// Where a run comes from: when it began by the clock on the wall, on which host, and with which
/// version of the program. A run knows none of this by itself; whoever records it says it.
///
/// ```swift
/// let origin = RunOrigin(
///   started: .seconds(Date().timeIntervalSince1970), host: ProcessInfo.processInfo.hostName)
/// let report = try await pond.run()
/// print(report.recorded(from: origin).page())
/// ```
public struct RunOrigin: Sendable, Hashable {
  /// When the run began, as the time since the beginning of 1970 in UTC; `nil` if that is not
  /// known.
  public let started: Duration?

  /// The name of the machine; `nil` if that is not known.
  public let host: String?

  /// The version of the program whose pond ran; `nil` if that is not known.
  public let version: String?

  /// Makes the origin of a run. Times are rounded to whole nanoseconds, and texts cut to 200
  /// characters. No run began before 1970.
  ///
  /// - Parameters:
  ///   - started: When the run began, as the time since the beginning of 1970 in UTC.
  ///   - host: The name of the machine.
  ///   - version: The version of the program whose pond ran.
  public init(started: Duration? = nil, host: String? = nil, version: String? = nil) {
    self.started = started.map { max($0.inWholeNanoseconds, .zero) }
    self.host = host?.truncated(to: Self.longestText)
    self.version = version?.truncated(to: Self.longestText)
  }

  private static let longestText = 200
}
