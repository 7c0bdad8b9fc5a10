public import Pebbles

/// What happened to one pebble in one run, as data. Times are offsets from the start of the run.
///
/// In every ``RecordedRun`` a pebble that ran was ready, started and finished in this order.
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

  /// The calls of its body, first to last; none for a skipped pebble.
  public let attempts: [RecordedAttempt]

  /// Whether a body went on although its attempt had timed out, when this was recorded.
  public let isStillRunning: Bool

  /// Whether the body failed after its run had been cancelled: what the run itself cancelled is no
  /// failure.
  public let wasCancelled: Bool

  /// What came of a service after it had been ready; `nil` if it had neither ended nor been called
  /// again when this was recorded, and for other pebbles.
  public let service: RecordedService?

  /// The cases that hold of how it ended, in the order of their definition.
  public let cases: [PebbleCase]

  /// The identifier of the run that has called the body, if this one has kept that it succeeded
  /// there; `nil` for any other.
  public let keptFrom: String?

  /// The services of runs inside that had ended for good without having been asked to, a clause
  /// each; see `PebbleRecord.servicesDownInside`.
  public let servicesDownInside: [String]

  /// What the errors of the teardown said that was called with outputs which came too late.
  public let lateTeardownErrors: [String]

  /// How long it ran, from its first call to the end; `nil` for a skipped pebble. The nearest there
  /// is, should that be too long or too short for a duration: until it is part of a run, a record
  /// may say anything.
  public var duration: Duration? { started.map { finished.subtractingSaturated($0) } }

  /// Makes a record. What is wrong with it, if anything, ``RecordedRun`` says.
  ///
  /// - Parameters:
  ///   - name: The name of the pebble.
  ///   - outcome: How it ended.
  ///   - ready: When its condition became true; `nil` for a skipped pebble.
  ///   - started: When its body was called first; `nil` for a skipped pebble.
  ///   - finished: When it settled.
  ///   - decidedBy: Where the pebble whose settling decided the condition stands in definition
  ///     order.
  ///   - attempts: The calls of its body, first to last.
  ///   - isStillRunning: Whether a body went on although its attempt had timed out.
  ///   - wasCancelled: Whether the body failed after its run had been cancelled.
  ///   - service: What came of a service after it had been ready.
  ///   - servicesDownInside: The services of runs inside that had ended without having been asked
  ///     to, a clause each.
  ///   - lateTeardownErrors: What the errors of the teardown said that was called with outputs
  ///     which came too late.
  ///   - cases: The cases that hold of how it ended.
  ///   - keptFrom: The run that its success was kept from; `nil` if its body was called here.
  public init(
    name: String, outcome: RecordedOutcome, ready: Duration? = nil, started: Duration? = nil,
    finished: Duration, decidedBy: Int? = nil, attempts: [RecordedAttempt] = [],
    isStillRunning: Bool = false, wasCancelled: Bool = false, service: RecordedService? = nil,
    servicesDownInside: [String] = [], lateTeardownErrors: [String] = [],
    cases: [PebbleCase] = [], keptFrom: String? = nil
  ) {
    self.name = name
    self.outcome = outcome
    self.ready = ready
    self.started = started
    self.finished = finished
    self.decidedBy = decidedBy
    self.attempts = attempts
    self.isStillRunning = isStillRunning
    self.wasCancelled = wasCancelled
    self.service = service
    self.servicesDownInside = servicesDownInside
    self.lateTeardownErrors = lateTeardownErrors
    self.cases = cases
    self.keptFrom = keptFrom
  }
}
