import Synchronization

/// The services of one run that are starting or running, to be stopped when it is shut down.
final class RunningServices: Sendable {
  private struct Service {
    let task: Task<Void, Never>

    /// Given once the pebble has settled.
    let hasSettled: Settlement<Void>
    var isStopping = false
  }

  private let services = Mutex<[Int: Service]>([:])

  /// Makes the task of a service, which is handed what tells it that its pebble has settled.
  func start(
    _ pebble: Int, _ makeTask: (Settlement<Void>) -> Task<Void, Never>
  ) -> Task<Void, Never> {
    // The task is made under the lock, so that it is known however early it ends.
    services.withLock { services in
      let hasSettled = Settlement<Void>()
      let task = makeTask(hasSettled)
      services[pebble] = Service(task: task, hasSettled: hasSettled)
      return task
    }
  }

  /// A pebble has settled. If it is a service that is ready, its end may be told from now on.
  func pebbleSettled(_ pebble: Int) {
    services.withLock { $0[pebble] }?.hasSettled.settle(())
  }

  /// Those that are starting or running, even if they have been told to stop.
  var running: Set<Int> { services.withLock { Set($0.keys) } }

  /// Cancels a service and waits for its end.
  func stop(_ pebble: Int) async {
    let task = services.withLock { services in
      services[pebble]?.isStopping = true
      return services[pebble]?.task
    }
    task?.cancel()
    await task?.value
  }

  /// Cancels those that are left, and waits for none of them.
  func cancelRemaining() {
    let tasks = services.withLock { services in
      for pebble in services.keys { services[pebble]?.isStopping = true }
      return services.values.map(\.task)
    }
    for task in tasks { task.cancel() }
  }

  /// An attempt to start a service has failed: its task is no longer one to be stopped.
  func startFailed(_ pebble: Int) {
    services.withLock { _ = $0.removeValue(forKey: pebble) }
  }

  /// The task of a service is about to end.
  ///
  /// - Returns: Whether that was of its own accord.
  func serviceEnded(_ pebble: Int) -> Bool {
    services.withLock { $0.removeValue(forKey: pebble) }?.isStopping == false
  }
}

extension RunCore {
  /// The body of a service, with all that is around it.
  func callService(
    _ service: @escaping ServiceBody, of pebble: Int, _ options: PebbleOptions,
    _ ready: ServiceReady
  ) async throws -> AnyOutput? {
    try await surrounded(pebble) {
      if let executor = executor(for: options) {
        try await executor.call { try await service(ready) }
      } else {
        try await service(ready)
      }
      return nil
    }
  }

  /// A service has ended that had been ready.
  func serviceEnded(
    _ pebble: Int, _ result: Result<AnyOutput?, any Error>, _ ending: ServiceEnding
  ) {
    let time = clock.now()
    var error: (any Error)?
    if case .failure(let failure) = result { error = failure }
    storage.serviceEnded(ServiceEnd(time: time.asNanoseconds, error: error), at: pebble)
    note(.serviceEnded(name(pebble), error), at: time)
    if services.serviceEnded(pebble), ending == .shutDown {
      shutDown(.serviceEnded(name(pebble)))
    }
    // Only now, because events end once the run has ended and no service is left.
    perform(life.take { $0.serviceEnded() })
  }
}
