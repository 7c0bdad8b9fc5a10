import Pebbles
import TemporalWire

/// An action to take in a run. The calls to schedule are the ready calls that the history does not
/// already have as scheduled calls. So no sequence of commands has to be repeated exactly.
enum Decision {
  /// A record of the graph in the history, because the run was started without one and this worker
  /// has it.
  case recordInput(RunInput)

  /// A timer that cancels the run after this time.
  case startDeadline(Duration)

  /// A call of a body or a teardown.
  case schedule(ScheduledBody)

  /// A cancellation of the body that was scheduled by this event.
  case cancel(scheduledBy: Int64)

  /// An end of the run.
  case end(RunEnding)
}

/// A call of a body or teardown, for any worker.
struct ScheduledBody {
  let pebble: String

  /// The reason for the call, for people: the condition of the pebble or, for a teardown, the
  /// cancellation of the run.
  let summary: String
  let manifest: BodyManifest
  let outputs: [TemporalPayload]

  /// The time limit of an attempt; `nil` for none.
  let timeout: Duration?
  let heartbeat: Duration
  let priority: Int

  /// Whether the call is repeated if its worker is lost.
  let isCalledAgain: Bool
}

extension ScheduledBody {
  static let teardownPrefix = "teardown of "

  /// The maximum length of the name of a call, in bytes.
  static let longestName = 1_000

  /// The name of the call on the server and in its web interface; a body has the name of its
  /// pebble.
  ///
  /// A pebble may have the same name as the teardown of another. The calls can still be
  /// distinguished, because no teardown is called before all bodies have ended.
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

  /// A failure of the run; the text is the reason, as a sentence.
  case failed(String)
  case cancelled
}
