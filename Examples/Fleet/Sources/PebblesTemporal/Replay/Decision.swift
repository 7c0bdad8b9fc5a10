import Pebbles
import TemporalWire

/// An action to take in a run. A call is scheduled if it is ready and, according to the history,
/// has not been scheduled yet. A replay therefore need not repeat an exact sequence of commands.
enum Decision {
  /// Record the graph in the history, because the run was started without a graph, and this worker
  /// has one.
  case recordInput(RunInput)

  /// Start a timer that cancels the run after the given time.
  case startDeadline(Duration)

  /// Schedule a call to a body or a teardown.
  case schedule(ScheduledBody)

  /// Cancel the body that was scheduled by the event with the given number.
  case cancel(scheduledBy: Int64)

  /// End the run.
  case end(RunEnding)
}

/// A call to a body or a teardown, which any worker can make.
struct ScheduledBody {
  let pebble: String

  /// A readable reason for the call: the condition of the pebble or, for a teardown, the
  /// cancellation of the run.
  let summary: String
  let manifest: BodyManifest
  let outputs: [TemporalPayload]

  /// The time limit of an attempt; `nil` for no limit.
  let timeout: Duration?
  let heartbeat: Duration
  let priority: Int

  /// Whether the call is repeated if its worker is lost.
  let isCalledAgain: Bool
}

extension ScheduledBody {
  static let teardownPrefix = "teardown of "

  /// The maximum length of a call's name, in bytes.
  static let longestName = 1_000

  /// The name of the call on the server and in its web interface. A call to a body has the name of
  /// the pebble.
  ///
  /// A pebble may have the same name as the call that tears down another pebble. The calls can
  /// still be distinguished, because no teardown is called before all bodies have ended.
  var activity: String { manifest.isTeardown == true ? Self.teardownPrefix + pebble : pebble }

  /// Returns the pebble that an activity tears down; `nil` if the activity is not a teardown.
  static func pebble(tornDownBy activity: String) -> String? {
    activity.hasPrefix(teardownPrefix) ? String(activity.dropFirst(teardownPrefix.count)) : nil
  }
}

extension [Decision] {
  /// Whether the decisions end the run.
  var endRun: Bool { if case .end? = last { true } else { false } }
}

/// The end of a run.
enum RunEnding: Hashable {
  case completed

  /// A failure of the run, with the reason as a sentence.
  case failed(String)
  case cancelled
}
