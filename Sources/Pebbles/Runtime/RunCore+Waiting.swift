extension RunCore {
  /// Waits until a promise is fulfilled, a given time is reached (`.max` for no limit), or the
  /// current task is cancelled.
  ///
  /// - Returns: Whether the promise is fulfilled.
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

  /// Waits until an attempt is over, but not beyond `RunLife.lastMoment(of:)` or `deadline`. This
  /// method is called after the body has ended or has been abandoned.
  ///
  /// - Returns: Whether the attempt is over.
  func isOver(_ call: AttemptCall, by deadline: UInt64? = nil) async -> Bool {
    guard let last = life.read({ $0.lastMoment(of: call) }) else { return true }
    return await waits(for: call.isOver, until: min(last, deadline ?? .max))
  }

  /// Starts a task that calls a function at a given time, and returns the task. If the task is
  /// cancelled before that time, the function is not called.
  func timer(at time: UInt64, _ passed: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task(on: options.executor) { [clock] in
      guard (try? await clock.sleep(until: time)) != nil else { return }
      passed()
    }
  }

  /// Returns the time that is `duration` from now, in nanoseconds since the start of the run.
  func time(after duration: Duration) -> UInt64 {
    clock.now().addingSaturated(duration.nanoseconds)
  }
}
