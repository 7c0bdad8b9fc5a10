import Pebbles

/// One run as data: what its report says, without the outputs.
///
/// Reports hold outputs and errors of any type, and live in the process that made them. This is the
/// part that can be kept, compared and worked on anywhere.
public struct RecordedRun: Sendable {
  /// The logic of the pond that ran.
  public let model: PondModel

  /// What happened to each pebble, in definition order.
  public let pebbles: [RecordedPebble]

  /// The time from the start of the run to its end.
  public let makespan: Duration

  /// Why the run was cancelled, as a clause; `nil` if it was not.
  public let cancellation: String?

  /// The numbers of the predicates that held; `nil` if that was not recorded.
  package let heldPredicates: Set<Int>?

  package init(
    model: PondModel, pebbles: [RecordedPebble], makespan: Duration, cancellation: String?,
    heldPredicates: Set<Int>? = nil
  ) {
    assert(pebbles.count == model.count)
    self.model = model
    self.pebbles = pebbles
    self.makespan = makespan
    self.cancellation = cancellation
    self.heldPredicates = heldPredicates
  }
}

/// What happened to one pebble in one run, as data. Times are offsets from the start of the run.
public struct RecordedPebble: Sendable, Hashable {
  /// The name of the pebble.
  public let name: String

  /// How it ended.
  public let outcome: RecordedOutcome

  /// When its condition became true; `nil` for a skipped pebble.
  public let ready: Duration?

  /// When its body was called first; `nil` for a skipped pebble.
  public let started: Duration?

  /// When it settled.
  public let finished: Duration

  /// Where the pebble whose settling decided the condition stands in definition order; `nil` if
  /// there was none.
  public let decidedBy: Int?

  /// The calls of its body, first to last.
  public let attempts: [RecordedAttempt]
}

/// How a pebble ended in one run, as data.
public enum RecordedOutcome: Sendable, Hashable {
  /// The body returned.
  case succeeded

  /// The body threw, or its callback reported a failure; with what the error said.
  case failed(String)

  /// The body was never called, for this reason.
  case skipped(SkipReason)
}

/// One call of a body, as data. Times are offsets from the start of the run.
public struct RecordedAttempt: Sendable, Hashable {
  /// When the body was called.
  public let started: Duration

  /// When it ended, or was given up.
  public let finished: Duration

  /// What its error said; `nil` if it succeeded.
  public let error: String?
}
