extension RunCore {
  /// Waits until something has happened: at most this long, and not in a cancelled task.
  ///
  /// - Returns: Whether it has happened.
  func waits(for happening: Settlement<Void>, atMost limit: Duration?) async -> Bool {
    let first = Settlement<Bool>()
    let wait = happening.whenSettled { _ in first.settle(true) }
    defer { happening.forget(wait) }
    if let known = first.settled { return known }
    let timer = limit.map { limit in
      Task(on: options.executor) { [clock] in
        guard (try? await clock.sleep(limit)) != nil else { return }
        first.settle(false)
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      first.settle(false)
    }
  }
}
