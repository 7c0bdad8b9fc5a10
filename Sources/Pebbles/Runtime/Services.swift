import Synchronization

/// The services of one run that are starting or running, to be stopped when it is shut down.
final class Services: Sendable {
  private let tasks = Mutex<[Int: Task<Void, Never>]>([:])

  /// Makes the task of a service.
  func start(_ pebble: Int, _ makeTask: () -> Task<Void, Never>) -> Task<Void, Never> {
    // The task is made under the lock, so that it is known however early it ends.
    tasks.withLock { tasks in
      let task = makeTask()
      tasks[pebble] = task
      return task
    }
  }

  /// Whether none is starting or running.
  var isEmpty: Bool { tasks.withLock(\.isEmpty) }

  /// Those that are starting or running.
  var running: Set<Int> { tasks.withLock { Set($0.keys) } }

  /// Cancels a service and waits for its end.
  func stop(_ pebble: Int) async {
    guard let task = tasks.withLock({ $0.removeValue(forKey: pebble) }) else { return }
    task.cancel()
    await task.value
  }

  /// The task of a service is about to end.
  ///
  /// - Returns: Whether that was of its own accord.
  func serviceEnded(_ pebble: Int) -> Bool {
    tasks.withLock { $0.removeValue(forKey: pebble) } != nil
  }
}

extension Dispatcher {
  /// The body of a service, with all that is around it.
  func callService(
    _ service: ServiceOptions, of pebble: Int, _ options: PebbleOptions, _ ready: ServiceReady
  ) async throws -> AnyOutput? {
    try await surrounded(pebble) {
      if let executor = options.executor {
        try await executor.call { try await service.body(ready) }
      } else {
        try await service.body(ready)
      }
      return nil
    }
  }

  /// A service has ended that had been ready.
  func serviceEnded(
    _ pebble: Int, _ result: Result<AnyOutput?, any Error>, _ service: ServiceOptions
  ) {
    let isUnasked = services.serviceEnded(pebble)
    let time = clock.now()
    var error: (any Error)?
    if case .failure(let failure) = result { error = failure }
    storage.serviceEnded(ServiceEnd(time: time.asNanoseconds, error: error), at: pebble)
    note(.serviceEnded(name(pebble), error), at: time)
    guard isUnasked else { return }
    switch service.ending {
    case .shutdown: shutDown(.serviceEnded(name(pebble)), within: nil)
    case .ignore: if crew.isOver, services.isEmpty { events.finish() }
    }
  }
}
