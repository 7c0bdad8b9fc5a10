extension RunCore {
  /// Waits until something has happened: at most until a time, unless that is `.max`, and not in a
  /// cancelled task.
  ///
  /// - Returns: Whether it has happened.
  func waits<Value>(for happening: Promise<Value>, until time: UInt64) async -> Bool {
    let first = Promise<Bool>()
    let wait = happening.whenFulfilled { _ in first.fulfill(true) }
    defer { happening.forget(wait) }
    if let known = first.fulfilled { return known }
    let timer = time == .max ? nil : timer(at: time) { first.fulfill(false) }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      first.fulfill(false)
    }
  }

  /// Waits until an attempt is over whose end is known, for as long as the run has patience.
  ///
  /// - Returns: Whether it is.
  func isOver(_ call: AttemptCall, by deadline: UInt64? = nil) async -> Bool {
    guard let last = life.read({ $0.lastMoment(of: call) }) else { return true }
    return await waits(for: call.isOver, until: min(last, deadline ?? .max))
  }

  /// Calls back at a time, unless it is cancelled before that.
  func timer(at time: UInt64, _ passed: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task(on: options.executor) { [clock] in
      guard (try? await clock.sleep(until: time)) != nil else { return }
      passed()
    }
  }

  /// The time when so much has gone by from now on.
  func time(after duration: Duration) -> UInt64 {
    clock.now().addingSaturated(duration.nanoseconds)
  }

  func isDeadlinePassed(at time: UInt64) -> Bool {
    options.deadline.map { time >= $0 } ?? false
  }
}
