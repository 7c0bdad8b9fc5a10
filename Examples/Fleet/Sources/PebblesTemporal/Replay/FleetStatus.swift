/// How far a run is. Of pebbles that are named, at most a hundred of a kind are.
public struct FleetStatus: Codable, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pond: String

  /// Whether nothing more is started.
  public let isCancelled: Bool

  /// How many pebbles have succeeded.
  public internal(set) var succeeded = 0

  /// How many pebbles have failed.
  public internal(set) var failedCount = 0

  /// What has failed, and with what.
  public internal(set) var failed: [String: String] = [:]

  /// How many pebbles were skipped.
  public internal(set) var skipped = 0

  /// How many pebbles still wait for others.
  public internal(set) var waiting = 0

  /// How many bodies run, or wait for a worker.
  public internal(set) var runningCount = 0

  /// What runs, or waits for a worker.
  public internal(set) var running: [String] = []

  /// What is called again, or is to be once a worker can, and why it must be.
  public internal(set) var calledAgain: [String: String] = [:]

  /// How many pebbles are being torn down, or wait for a worker to be.
  public internal(set) var tearingDownCount = 0

  /// What is being torn down, or waits for a worker to be.
  public internal(set) var tearingDown: [String] = []

  /// How many pebbles have been torn down, well or badly.
  public internal(set) var tornDown = 0

  /// What a run is asked to have this for an answer.
  static let query = "status"

  /// How many pebbles are named of each kind: an answer of more than two megabytes the server does
  /// not take.
  static let mostNamed = 100

  /// How long an error may be, in bytes.
  static let longestText = 4_000

  init(pond: String, isCancelled: Bool) {
    self.pond = pond
    self.isCancelled = isCancelled
  }

  /// The status as a few lines.
  public var description: String {
    let isOver = runningCount + tearingDownCount + waiting == 0
    let state =
      switch (isCancelled, isOver) {
      case (false, false): ""
      case (true, false): " is being cancelled"
      case (false, true): " has ended"
      case (true, true): " was cancelled"
      }
    var lines = [
      "\(pond)\(state): \(succeeded) succeeded, \(failedCount) failed, \(skipped) skipped, "
        + "\(runningCount) running, \(waiting) waiting"
    ]
    lines += running.prefix(20).map { "  \($0) is running" }
    if runningCount > 20 { lines.append("  … and \(runningCount - 20) more") }
    lines += calledAgain.sorted { $0.key < $1.key }.prefix(20)
      .map { "  \($0.key) is called again: \($0.value)" }
    if tornDown > 0 || tearingDownCount > 0 {
      lines.append("  \(tornDown) torn down, \(tearingDownCount) being torn down")
    }
    lines += failed.sorted { $0.key < $1.key }.prefix(20).map { "  \($0.key) failed: \($0.value)" }
    return lines.joined(separator: "\n")
  }
}
