extension RunCore {
  /// Waits until something has happened: at most this long, and not in a cancelled task.
  ///
  /// - Returns: Whether it has happened.
  func waits<Value>(for happening: Promise<Value>, atMost limit: Duration?) async -> Bool {
    let first = Promise<Bool>()
    let wait = happening.whenFulfilled { _ in first.fulfill(true) }
    defer { happening.forget(wait) }
    if let known = first.fulfilled { return known }
    let timer = limit.map { limit in
      Task(on: options.executor) { [clock] in
        guard (try? await clock.sleep(limit)) != nil else { return }
        first.fulfill(false)
      }
    }
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
    return await waits(for: call.isOver, atMost: rest(until: min(last, deadline ?? .max)))
  }

  /// How long it is until a time, in nanoseconds; `nil` if that never comes.
  func rest(until time: UInt64) -> Duration? {
    if time == .max { return nil }
    return (time - min(time, clock.now())).asNanoseconds
  }

  func isDeadlinePassed(at time: UInt64) -> Bool {
    options.deadline.map { time >= $0 } ?? false
  }
}
