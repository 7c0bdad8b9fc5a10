import Pebbles

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

  /// How pebbles have ended of which cases hold: `failed as locked`, `succeeded with heads`.
  public internal(set) var cases: [String: String] {
    get { casesIfTold ?? [:] }
    set { casesIfTold = newValue }
  }

  /// `nil` from a worker of a release that knew of none.
  private var casesIfTold: [String: String]?

  /// Why the run has ended without the goal of its pond, as a sentence; `nil` if it has not.
  public internal(set) var missedGoal: String?

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

  private enum CodingKeys: String, CodingKey {
    case pond, isCancelled, succeeded, failedCount, failed, casesIfTold = "cases", missedGoal
    case skipped, waiting, runningCount, running, calledAgain
    case tearingDownCount, tearingDown, tornDown
  }

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
    if let missedGoal { lines.append("  \(missedGoal)") }
    lines += failed.sorted { $0.key < $1.key }.prefix(20)
      .map { "  \($0.key) \(cases[$0.key] ?? "failed"): \($0.value)" }
    lines += cases.filter { failed[$0.key] == nil }.sorted { $0.key < $1.key }.prefix(20)
      .map { "  \($0.key) \($0.value)" }
    return lines.joined(separator: "\n")
  }
}

extension [PebbleCase] {
  /// What a pebble did of which these cases hold, as a clause: *failed as locked and timed out*.
  var clause: String {
    guard let first else { return "" }
    // A timeout is a failure by itself, and a part of one beside others.
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
