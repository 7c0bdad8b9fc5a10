import Pebbles

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
