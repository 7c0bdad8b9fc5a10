import Synchronization

/// How much may go on at a time, such as bodies that a worker calls: who begins takes a slot first.
final class Slots: Sendable {
  private struct State {
    var free: Int
    var lastNumber = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(free: max(1, count)))
  }

  /// Waits for a slot.
  ///
  /// - Throws: `CancellationError`; there is no slot to give back then.
  func take() async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let isTaken = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken: Bool? = state.withLock { state in
          // Asked under the lock: whoever is cancelled later is found among those that wait.
          if Task.isCancelled { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let isTaken { continuation.resume(returning: isTaken) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
      }
      continuation?.continuation.resume(returning: false)
    }
    if !isTaken { throw CancellationError() }
  }

  /// Takes slots that are free now.
  ///
  /// - Parameter most: How many are wanted.
  /// - Returns: How many were taken.
  func takeFree(_ most: Int) -> Int {
    state.withLock { state in
      let count = min(max(0, most), state.free)
      state.free -= count
      return count
    }
  }

  /// Gives slots back.
  func giveBack(_ count: Int = 1) {
    let next = state.withLock { state in
      let served = state.waiting.prefix(count)
      state.waiting.removeFirst(served.count)
      state.free += count - served.count
      return served
    }
    for waiter in next { waiter.continuation.resume(returning: true) }
  }

  var free: Int { state.withLock(\.free) }
}
