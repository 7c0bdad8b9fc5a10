import Pebbles

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

  /// How a service ended that had been ready; `nil` if it had not when this was recorded, and for
  /// other pebbles.
  public let serviceEnd: RecordedServiceEnd?

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
  ///   - serviceEnd: How a service ended that had been ready.
  public init(
    name: String, outcome: RecordedOutcome, ready: Duration? = nil, started: Duration? = nil,
    finished: Duration, decidedBy: Int? = nil, attempts: [RecordedAttempt] = [],
    isStillRunning: Bool = false, serviceEnd: RecordedServiceEnd? = nil
  ) {
    self.name = name
    self.outcome = outcome
    self.ready = ready
    self.started = started
    self.finished = finished
    self.decidedBy = decidedBy
    self.attempts = attempts
    self.isStillRunning = isStillRunning
    self.serviceEnd = serviceEnd
  }
}

/// One call of a body, as data. Times are offsets from the start of the run.
public struct RecordedAttempt: Sendable, Hashable {
  /// When the body was called.
  public let started: Duration

  /// When it ended, or was given up.
  public let finished: Duration

  /// What its error said; `nil` if it succeeded.
  public let error: String?

  /// Makes a record of a call.
  ///
  /// - Parameters:
  ///   - started: When the body was called.
  ///   - finished: When it ended, or was given up.
  ///   - error: What its error said; `nil` if it succeeded.
  public init(started: Duration, finished: Duration, error: String? = nil) {
    self.started = started
    self.finished = finished
    self.error = error
  }
}

/// How a service ended after it had been ready, as data.
public struct RecordedServiceEnd: Sendable, Hashable {
  /// When, as an offset from the start of the run; perhaps after the end of that.
  public let time: Duration

  /// What its error said; `nil` if its body returned.
  public let error: String?

  /// Makes a record of the end of a service.
  ///
  /// - Parameters:
  ///   - time: When, as an offset from the start of the run.
  ///   - error: What its error said; `nil` if its body returned.
  public init(time: Duration, error: String? = nil) {
    self.time = time
    self.error = error
  }
}

extension RecordedPebble {
  var inWholeNanoseconds: RecordedPebble {
    RecordedPebble(
      name: name, outcome: outcome, ready: ready?.inWholeNanoseconds,
      started: started?.inWholeNanoseconds, finished: finished.inWholeNanoseconds,
      decidedBy: decidedBy,
      attempts: attempts.map {
        RecordedAttempt(
          started: $0.started.inWholeNanoseconds, finished: $0.finished.inWholeNanoseconds,
          error: $0.error)
      },
      isStillRunning: isStillRunning,
      serviceEnd: serviceEnd.map {
        RecordedServiceEnd(time: $0.time.inWholeNanoseconds, error: $0.error)
      })
  }
}

extension Duration {
  /// The nearest duration in whole nanoseconds, of at most 584 years. What is negative stays so.
  var inWholeNanoseconds: Duration {
    if self < .zero { return min(self, .nanoseconds(-1)) }
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return UInt64(clamping: rest < 500_000_000 ? whole : whole + 1).asNanoseconds
  }
}
