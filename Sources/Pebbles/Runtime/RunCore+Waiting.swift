extension RunCore {
  /// Waits until something has happened: at most this long, and not in a cancelled task.
  ///
  /// - Returns: Whether it has happened.
  func waits(for happening: Promise<Void>, atMost limit: Duration?) async -> Bool {
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
}
