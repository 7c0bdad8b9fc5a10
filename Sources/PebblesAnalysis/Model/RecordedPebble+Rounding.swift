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
      isStillRunning: isStillRunning, wasCancelled: wasCancelled,
      service: service?.inWholeNanoseconds, servicesDownInside: servicesDownInside,
      lateTeardownErrors: lateTeardownErrors, cases: cases, keptFrom: keptFrom)
  }
}

extension RecordedService {
  fileprivate var inWholeNanoseconds: RecordedService {
    RecordedService(
      end: end.map {
        RecordedServiceEnd(
          time: $0.time.inWholeNanoseconds, error: $0.error, wasAsked: $0.wasAsked)
      },
      isDown: isDown,
      restarts: restarts.map {
        RecordedServiceRestart(
          time: $0.time.inWholeNanoseconds, attempt: $0.attempt, error: $0.error)
      },
      restartCount: restartCount)
  }
}

extension RecordedShutdown {
  var inWholeNanoseconds: RecordedShutdown {
    RecordedShutdown(
      reason: reason, started: started?.inWholeNanoseconds, duration: duration.inWholeNanoseconds,
      teardowns: teardowns.map {
        RecordedTeardown(
          pebble: $0.pebble, started: $0.started?.inWholeNanoseconds,
          finished: $0.finished.inWholeNanoseconds, error: $0.error)
      },
      nested: nested.map(\.inWholeNanoseconds))
  }
}

extension Duration {
  /// This duration, rounded to whole nanoseconds and limited to about 584 years. Negative durations
  /// are not rounded, except that durations between −1 nanosecond and zero become −1 nanosecond. A
  /// negative duration therefore stays negative when it is truncated to whole nanoseconds.
  var inWholeNanoseconds: Duration {
    if self < .zero { return min(self, .nanoseconds(-1)) }
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return UInt64(clamping: rest < 500_000_000 ? whole : whole + 1).asNanoseconds
  }
}
