import Pebbles

/// The origin of a run: the wall-clock time of its start, the host, and the version of the program.
/// A run does not contain this information; the code that records the run provides it.
///
/// ```swift
/// let origin = RunOrigin(
///   started: .seconds(Date().timeIntervalSince1970), host: ProcessInfo.processInfo.hostName)
/// let report = try await pond.run()
/// print(report.recorded(from: origin).page())
/// ```
public struct RunOrigin: Sendable, Hashable {
  /// The start of the run, as the time since the beginning of 1970 in UTC; `nil` if it is not
  /// known.
  public let started: Duration?

  /// The name of the machine; `nil` if it is not known.
  public let host: String?

  /// The version of the program whose pond ran; `nil` if it is not known.
  public let version: String?

  /// Creates the origin of a run. The start is rounded to whole nanoseconds, and strings are
  /// truncated to 200 characters. A start before 1970 becomes the beginning of 1970.
  ///
  /// - Parameters:
  ///   - started: The start of the run, as the time since the beginning of 1970 in UTC.
  ///   - host: The name of the machine.
  ///   - version: The version of the program whose pond ran.
  public init(started: Duration? = nil, host: String? = nil, version: String? = nil) {
    self.started = started.map { max($0.inWholeNanoseconds, .zero) }
    self.host = host?.truncated(to: Self.longestText)
    self.version = version?.truncated(to: Self.longestText)
  }

  private static let longestText = 200
}
