import Synchronization

/// The services of one run that are starting or running, to be stopped when it is shut down.
final class RunningServices: Sendable {
  struct Service: Sendable {
    /// Given once the pebble has settled.
    let hasSettled = Promise<Void>()

    /// Given once the run asks it to stop.
    let stop = Promise<Void>()

    /// Given once it has ended for good.
    let hasEnded = Promise<Void>()
  }

  /// What there is to be torn down of a service that has been restarted.
  private enum Output {
    case none
    case some(AnyOutput?)
  }

  private struct Entry {
    let service: Service
    var task: Task<Void, Never>?
    var isStopping = false
    var isAbandoned = false
  }

  private struct State {
    var running: [Int: Entry] = [:]
    var outputs: [Int: Output] = [:]
  }

  private let state = Mutex(State())

  /// A service is about to start.
  ///
  /// - Returns: What its task waits for: that the pebble has settled, and the request to stop.
  func start(_ pebble: Int) -> (hasSettled: Promise<Void>, stop: Promise<Void>) {
    let service = Service()
    state.withLock { $0.running[pebble] = Entry(service: service) }
    return (service.hasSettled, service.stop)
  }

  /// The task of a service has been made. That does not end for good before its pebble has settled,
  /// however early its body does.
  func started(_ pebble: Int, _ task: Task<Void, Never>) {
    state.withLock { $0.running[pebble]?.task = task }
  }

  /// A pebble has settled. If it is a service that is ready, its end may be told from now on.
  func pebbleSettled(_ pebble: Int) {
    state.withLock { $0.running[pebble] }?.service.hasSettled.fulfill(())
  }

  /// Those that are starting or running, even if they have been told to stop.
  var running: Set<Int> { state.withLock { Set($0.running.keys) } }

  /// A service is to be stopped, once: asked, then cancelled.
  ///
  /// - Returns: It and its task; `nil` if it has ended.
  func beginStopping(_ pebble: Int) -> (service: Service, task: Task<Void, Never>?)? {
    state.withLock { state in
      state.running[pebble]?.isStopping = true
      return state.running[pebble].map { ($0.service, $0.task) }
    }
  }

  /// The task of a service was cancelled with the run, so its end is asked for.
  func wasCancelled(_ pebble: Int) {
    state.withLock { $0.running[pebble]?.isStopping = true }
  }

  func isStopping(_ pebble: Int) -> Bool {
    state.withLock { $0.running[pebble]?.isStopping ?? true }
  }

  /// The shutdown waits for a service no longer.
  ///
  /// - Returns: Whether it goes on, so that what it opened is torn down only when it ends.
  func abandon(_ pebble: Int) -> Bool {
    state.withLock { state in
      state.running[pebble]?.isAbandoned = true
      return state.running[pebble] != nil
    }
  }

  /// An attempt to start a service has failed: its task is no longer one to be stopped.
  func startFailed(_ pebble: Int) {
    state.withLock { _ = $0.running.removeValue(forKey: pebble) }
  }

  /// The task of a service is about to end.
  ///
  /// - Returns: Whether that was of its own accord, and whether the shutdown waits for it no
  ///   longer.
  func serviceEnded(_ pebble: Int) -> (isUnasked: Bool, isAbandoned: Bool, Service?) {
    state.withLock { state in
      let entry = state.running.removeValue(forKey: pebble)
      return (entry?.isStopping == false, entry?.isAbandoned == true, entry?.service)
    }
  }

  // MARK: Outputs of restarted services

  /// What a service produced last, to be torn down now.
  ///
  /// - Parameters:
  ///   - pebble: The service.
  ///   - first: What its pebble has as its output.
  /// - Returns: That; `nil` if it has been torn down already.
  func takeOutput(of pebble: Int, first: AnyOutput?) -> AnyOutput?? {
    state.withLock { state in
      defer { state.outputs[pebble] = Output.none }
      switch state.outputs[pebble] {
      case nil: return .some(first)
      case .some(.none): return nil
      case .some(.some(let output)): return .some(output)
      }
    }
  }

  /// A service that was restarted is ready again.
  func setOutput(_ output: AnyOutput?, of pebble: Int) {
    state.withLock { $0.outputs[pebble] = .some(output) }
  }
}
