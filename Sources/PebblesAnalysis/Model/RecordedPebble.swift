public import Pebbles

/// The record of one pebble in one run, as data. Times are offsets from the start of the run.
///
/// In a ``RecordedRun``, a pebble that ran became ready no later than it started, and started no
/// later than it finished.
public struct RecordedPebble: Sendable, Hashable {
  /// The name of the pebble.
  public let name: String

  /// The outcome of the pebble.
  public let outcome: RecordedOutcome

  /// The time at which the condition became true; `nil` for a skipped pebble.
  public let ready: Duration?

  /// The time at which the body was first called; `nil` for a skipped pebble.
  public let started: Duration?

  /// The time at which the pebble settled.
  public let finished: Duration

  /// The position, in definition order, of the pebble that decided the condition when it settled;
  /// `nil` if there is no such pebble. If this pebble was skipped for the reason `.resourceHeld`,
  /// the value is the position of the pebble that the reason names.
  public let decidedBy: Int?

  /// The calls of the body before the pebble settled, first to last. The array is empty if the
  /// pebble was skipped, if its output was given to the run, or if its success was kept from an
  /// earlier run.
  public let attempts: [RecordedAttempt]

  /// Whether a body was still running when the record was created, although its attempt had been
  /// abandoned, for example because of a timeout.
  public let isStillRunning: Bool

  /// Whether the body failed after the run had been cancelled. Such a failure is attributed to the
  /// cancellation.
  public let wasCancelled: Bool

  /// The end and the restarts of a service after it had become ready. The value is `nil` if the
  /// pebble is not a service, or if the service had neither ended nor been restarted when the
  /// record was created.
  public let service: RecordedService?

  /// The cases that hold for the outcome, in the order of their definition.
  public let cases: [PebbleCase]

  /// The identifier of the earlier run that called the body; `nil` if the success was not kept from
  /// an earlier run.
  public let keptFrom: String?

  /// Descriptions of the services that ended permanently in nested runs without being asked to
  /// stop, one clause for each service; see `PebbleRecord.servicesDownInside`.
  public let servicesDownInside: [String]

  /// The messages of the errors thrown while tearing down discarded results, such as an output that
  /// arrived too late. See `PebbleRecord.lateTeardownErrors`.
  public let lateTeardownErrors: [String]

  /// The time from the first call of the body until the pebble settled; `nil` for a skipped pebble.
  ///
  /// If the time is out of range for a `Duration`, this is the nearest duration in range. The times
  /// of a record are not checked until the record becomes part of a run.
  public var duration: Duration? { started.map { finished.subtractingSaturated($0) } }

  /// The duration of a pebble that ran; `nil` for a skipped pebble, and for a pebble whose success
  /// was kept from an earlier run.
  package var ownDuration: Duration? { keptFrom == nil ? duration : nil }

  /// Creates a record. The record is checked when it becomes part of a ``RecordedRun``.
  ///
  /// - Parameters:
  ///   - name: The name of the pebble.
  ///   - outcome: The outcome of the pebble.
  ///   - ready: The time at which the condition became true; `nil` for a skipped pebble.
  ///   - started: The time at which the body was first called; `nil` for a skipped pebble.
  ///   - finished: The time at which the pebble settled.
  ///   - decidedBy: The position, in definition order, of the pebble that decided the condition
  ///     when it settled.
  ///   - attempts: The calls of the body before the pebble settled, first to last.
  ///   - isStillRunning: Whether a body was still running although its attempt had been abandoned.
  ///   - wasCancelled: Whether the body failed after its run had been cancelled.
  ///   - service: The end and the restarts of a service after it had become ready.
  ///   - servicesDownInside: Descriptions of the services that ended permanently in nested runs
  ///     without being asked to stop, one clause for each service.
  ///   - lateTeardownErrors: The messages of the errors thrown while tearing down discarded
  ///     results.
  ///   - cases: The cases that hold for the outcome.
  ///   - keptFrom: The identifier of the earlier run that called the body; `nil` if the success was
  ///     not kept from an earlier run.
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

/// One call of a body, as data. Times are offsets from the start of the run.
public struct RecordedAttempt: Sendable, Hashable {
  /// The time at which the body was called.
  public let started: Duration

  /// The time at which the call ended, or was abandoned.
  public let finished: Duration

  /// The error message; `nil` if the call succeeded.
  public let error: String?

  /// Creates a record of a call.
  ///
  /// - Parameters:
  ///   - started: The time at which the body was called.
  ///   - finished: The time at which the call ended, or was abandoned.
  ///   - error: The error message; `nil` if the call succeeded.
  public init(started: Duration, finished: Duration, error: String? = nil) {
    self.started = started
    self.finished = finished
    self.error = error
  }
}
