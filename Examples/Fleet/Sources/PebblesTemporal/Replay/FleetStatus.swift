import Pebbles

/// The status of a run. It names at most a hundred pebbles in each state.
public struct FleetStatus: Codable, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pond: String

  /// Whether the run was cancelled. If so, no more pebbles start.
  public let isCancelled: Bool

  /// The number of pebbles that succeeded.
  public internal(set) var succeeded = 0

  /// The number of pebbles that failed.
  public internal(set) var failedCount = 0

  /// The errors of the failed pebbles, keyed by name.
  public internal(set) var failed: [String: String] = [:]

  /// Descriptions of how pebbles ended, such as `failed as locked` or `succeeded with heads`, keyed
  /// by name. Only pebbles for which cases hold are included.
  public internal(set) var cases: [String: String] {
    get { casesIfTold ?? [:] }
    set { casesIfTold = newValue }
  }

  /// The stored form of `cases`; `nil` if the status is from a worker of an older release, which
  /// does not support cases.
  private var casesIfTold: [String: String]?

  /// The reason why the run missed the goal of its pond, as a sentence; `nil` if the run has not
  /// missed the goal.
  public internal(set) var missedGoal: String?

  /// The number of skipped pebbles.
  public internal(set) var skipped = 0

  /// The number of pebbles that are waiting for other pebbles.
  public internal(set) var waiting = 0

  /// The number of bodies that are running or waiting for a worker.
  public internal(set) var runningCount = 0

  /// The names of the pebbles whose bodies are running or waiting for a worker; at most a hundred.
  public internal(set) var running: [String] = []

  /// The reasons for repeating calls, keyed by the name of the call. A repeated call may still be
  /// waiting for a worker.
  public internal(set) var calledAgain: [String: String] = [:]

  /// The number of pebbles being torn down, including those that wait for a worker.
  public internal(set) var tearingDownCount = 0

  /// The pebbles being torn down, including those that wait for a worker.
  public internal(set) var tearingDown: [String] = []

  /// The number of pebbles whose teardown has ended, with or without an error.
  public internal(set) var tornDown = 0

  /// The name of the query that returns this status.
  static let query = "status"

  /// The maximum number of pebbles that are named in each state. It is limited because the server
  /// rejects answers of more than two megabytes.
  static let mostNamed = 100

  /// The maximum length of an error or another string, in bytes.
  static let longestText = 4_000

  private enum CodingKeys: String, CodingKey {
    case pond, isCancelled, succeeded, failedCount, failed, casesIfTold = "cases", missedGoal
    case skipped, waiting, runningCount, running, calledAgain
    case tearingDownCount, tearingDown, tornDown
  }

  init(pond: String, isCancelled: Bool) {
    self.pond = pond
    self.isCancelled = isCancelled
  }

  /// A description of the status in a few lines.
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
    if let missedGoal { lines.append("  \(missedGoal)") }
    lines += failed.sorted { $0.key < $1.key }.prefix(20)
      .map { "  \($0.key) \(cases[$0.key] ?? "failed"): \($0.value)" }
    lines += cases.filter { failed[$0.key] == nil }.sorted { $0.key < $1.key }.prefix(20)
      .map { "  \($0.key) \($0.value)" }
    return lines.joined(separator: "\n")
  }
}

extension [PebbleCase] {
  /// A clause such as `failed as locked and timed out` that states how a pebble with these cases
  /// ended, to be placed after the pebble's name. The clause is empty if there are no cases.
  var clause: String {
    guard let first else { return "" }
    // A timeout alone needs no verb; together with other cases it follows one.
    let verb = first == .timedOut ? [] : [first.isFailure ? "failed" : "succeeded"]
    return (verb + [map(\.caption).joined(separator: " and ")]).joined(separator: " ")
  }
}

extension PebbleCase {
  fileprivate var caption: String {
    let name = name.cut(to: 60).inLine
    return switch self {
    case .failed, .succeeded: "as \(name)"
    case .is: "with \(name)"
    case .timedOut: name
    }
  }
}
