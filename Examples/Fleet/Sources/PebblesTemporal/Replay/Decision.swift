import Pebbles
import TemporalWire

/// What is to be done next in a run. A set difference: what is ready less what its history says was
/// scheduled. So there is no sequence of commands that would have to be repeated.
enum Decision {
  /// The run is to be cancelled after this time.
  case startDeadline(Duration)

  /// A body is to be called.
  case schedule(ScheduledBody)

  /// A body is to be cancelled; with the event that scheduled it.
  case cancel(scheduledBy: Int64)

  /// The run has ended.
  case end(RunEnding)
}

/// A body that is to be called on some worker.
struct ScheduledBody {
  let pebble: String

  /// Its condition, for people.
  let condition: String
  let manifest: BodyManifest
  let outputs: [TemporalPayload]

  /// How long an attempt may take; `nil` for as long as it likes.
  let timeout: Duration?
  let heartbeat: Duration
  let priority: Int

  /// Whether it is called again if its worker is lost.
  let isCalledAgain: Bool
}

/// How a run has ended.
enum RunEnding: Hashable {
  case completed

  /// With what went wrong, as a sentence.
  case failed(String)
  case cancelled
}
