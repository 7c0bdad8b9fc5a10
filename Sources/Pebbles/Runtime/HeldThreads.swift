import Synchronization

/// The threads that the blocking bodies of one run hold.
final class HeldThreads: Sendable {
  private enum Holding {
    case waiting
    case lease(ThreadLease)
    case none(BlockingThreadShortage)
  }

  private let holdings = Mutex<[Int: Holding]>([:])

  /// A pebble waits for a thread from now on.
  func startWaiting(for pebble: Int) {
    holdings.withLock { $0[pebble] = .waiting }
  }

  /// Whether a pebble waits for a thread.
  func isAwaited(by pebble: Int) -> Bool {
    if case .waiting? = holdings.withLock({ $0[pebble] }) { true } else { false }
  }

  func take(_ lease: ThreadLease, for pebble: Int) {
    holdings.withLock { $0[pebble] = .lease(lease) }
  }

  func refuse(_ pebble: Int, because shortage: BlockingThreadShortage) {
    holdings.withLock { $0[pebble] = Holding.none(shortage) }
  }

  /// Why the body of a pebble cannot have a thread, if it cannot.
  func shortage(of pebble: Int) -> BlockingThreadShortage? {
    if case .none(let shortage)? = holdings.withLock({ $0[pebble] }) { shortage } else { nil }
  }

  /// The attempt of a pebble that is about to begin has its lease from now on, if there is one.
  func handOver(to pebble: Int) -> ThreadLease? {
    guard case .lease(let lease)? = holdings.withLock({ $0.removeValue(forKey: pebble) }) else {
      return nil
    }
    return lease
  }

  /// A pebble does not start after all.
  func giveBack(_ pebble: Int) {
    if case .lease(let lease)? = holdings.withLock({ $0.removeValue(forKey: pebble) }) {
      lease.end()
    }
  }
}

extension RunCore {
  /// Whether the body of a pebble blocks a thread.
  func needsThread(_ pebble: Int) -> Bool {
    program.options[UInt32(pebble)]?.traits.isBlocking == true && options.executor == nil
  }

  /// Waits until the body of a pebble may block a thread, if it does.
  ///
  /// - Returns: Whether it may be called; not in a run that has been cancelled meanwhile.
  func waitsForThread(_ pebble: Int) async -> Bool {
    guard needsThread(pebble), let options = program.options[UInt32(pebble)] else { return true }
    threads.startWaiting(for: pebble)
    do throws(BlockingThreadShortage) {
      guard
        let lease = try await self.options.blockingThreads.lease(
          for: identifier, priority: options.traits.priority, timer: deadlineTimer)
        // What undoes something is called all the same, if not at once.
      else { return self.options.deadlineError != nil && !isCancelled }
      self.threads.take(lease, for: pebble)
    } catch {
      self.threads.refuse(pebble, because: error)
    }
    return true
  }

  /// What calls back at the deadline of the run, if there is one.
  private var deadlineTimer: ((@escaping @Sendable () -> Void) -> Task<Void, Never>)? {
    guard let deadline = options.deadline else { return nil }
    let rest = (deadline - min(deadline, clock.now())).asNanoseconds
    return { [clock, options] passed in
      Task(on: options.executor) {
        guard (try? await clock.sleep(rest)) != nil else { return }
        passed()
      }
    }
  }
}
