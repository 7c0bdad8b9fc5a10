import Pebbles
import TemporalWire

/// What is to be done next in a run. A set difference: what is ready less what its history says was
/// scheduled. So there is no sequence of commands that would have to be repeated.
enum Decision {
  /// The graph is to be written into the history: the run was started without one, and this worker
  /// has it.
  case recordInput(RunInput)

  /// The run is to be cancelled after this time.
  case startDeadline(Duration)

  /// A body is to be called.
  case schedule(ScheduledBody)

  /// A body is to be cancelled; with the event that scheduled it.
  case cancel(scheduledBy: Int64)

  /// The run has ended.
  case end(RunEnding)
}

/// A body, or a teardown, that is to be called on some worker.
struct ScheduledBody {
  let pebble: String

  /// Why, for people: the condition of a body.
  let summary: String
  let manifest: BodyManifest
  let outputs: [TemporalPayload]

  /// How long an attempt may take; `nil` for as long as it likes.
  let timeout: Duration?
  let heartbeat: Duration
  let priority: Int

  /// Whether it is called again if its worker is lost.
  let isCalledAgain: Bool
}

extension ScheduledBody {
  static let teardownPrefix = "teardown of "

  /// How long the name of a call may be, in bytes.
  static let longestName = 1_000

  /// What the server and its web interface call it: a body as its pebble is called.
  ///
  /// A pebble may be called like the teardown of another one. They are told apart all the same:
  /// nothing is torn down before all bodies have ended.
  var activity: String { manifest.isTeardown == true ? Self.teardownPrefix + pebble : pebble }

  /// The pebble that an activity tears down; `nil` if it is no teardown.
  static func pebble(tornDownBy activity: String) -> String? {
    activity.hasPrefix(teardownPrefix) ? String(activity.dropFirst(teardownPrefix.count)) : nil
  }
}

extension [Decision] {
  /// Whether nothing is to be decided any more.
  var endRun: Bool { if case .end? = last { true } else { false } }
}

/// How a run has ended.
enum RunEnding: Hashable {
  case completed

  /// With what went wrong, as a sentence.
  case failed(String)
  case cancelled
}
