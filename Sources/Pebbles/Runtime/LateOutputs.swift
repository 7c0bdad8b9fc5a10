import Synchronization

/// The outputs of one run that are being undone at once, because their pebbles have no use for
/// them.
final class LateOutputs: Sendable {
  private struct State {
    /// How many there are of each pebble.
    var counts: [Int: Int] = [:]
    var allUndone = Promise<Void>()
  }

  private let state = Mutex(State())

  func undoingBegan(_ pebble: Int) {
    state.withLock { state in
      if state.counts.isEmpty { state.allUndone = Promise() }
      state.counts[pebble, default: 0] += 1
    }
  }

  func undoingEnded(_ pebble: Int) {
    let allUndone = state.withLock { state -> Promise<Void>? in
      let rest = state.counts[pebble, default: 1] - 1
      state.counts[pebble] = rest > 0 ? rest : nil
      return state.counts.isEmpty ? state.allUndone : nil
    }
    allUndone?.fulfill(())
  }

  /// Whose they are, ascending, and what is given once none of them is left.
  var current: (pebbles: [Int], allUndone: Promise<Void>) {
    state.withLock { ($0.counts.keys.sorted(), $0.allUndone) }
  }
}

extension RunCore {
  /// Undoes at once what a body has returned that its pebble has no use for: because it came too
  /// late, because code around it threw, or because the service that it is of is called again.
  func discard(_ output: AnyOutput?, of pebble: Int) async {
    await startDiscarding(output, of: pebble)?.value
  }

  /// The same, for callers that cannot wait: for callbacks, say, that succeed when their attempt is
  /// over. A shutdown waits for it.
  ///
  /// - Returns: What does that; `nil` if there is nothing to do.
  @discardableResult
  func startDiscarding(_ output: AnyOutput?, of pebble: Int) -> Task<Void, Never>? {
    guard let options = program.options[UInt32(pebble)], options.teardown != nil else { return nil }
    lateOutputs.undoingBegan(pebble)
    return Task(on: self.options.executor) { [self] in
      if case .failure(let error) = await undo(output, of: pebble, options) {
        storage.lateTeardownFailed(error, at: pebble)
      }
      lateOutputs.undoingEnded(pebble)
    }
  }

  /// Waits for what is being undone at the end of a shutdown, for as long as that may still take.
  func lateOutputsAreUndone(by deadline: RunLifecycle.ShutdownDeadline?) async {
    while true {
      let (pebbles, allUndone) = lateOutputs.current
      if pebbles.isEmpty { return }
      let now = clock.now()
      let rest = deadline.map { ($0.time - min($0.time, now)).asNanoseconds }
      if await waits(for: allUndone, atMost: rest) { continue }
      guard let deadline else { return }
      for pebble in lateOutputs.current.pebbles {
        let error = PebbleTimeout(pebble: name(pebble), limit: deadline.limit, .shutdown)
        storage.lateTeardownFailed(error, at: pebble)
      }
      return
    }
  }
}
