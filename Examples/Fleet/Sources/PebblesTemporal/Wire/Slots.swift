import Synchronization

/// A limit on the amount of concurrent work, such as the number of bodies that a worker calls at
/// the same time. A task takes a slot before it begins its work.
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

  /// Takes a slot, after waiting for a free one if necessary.
  ///
  /// - Throws: `CancellationError` if the task is cancelled. In that case, no slot has been taken.
  func take() async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let isTaken = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken: Bool? = state.withLock { state in
          // Checked under the lock: a later cancellation finds the task among the waiting ones.
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

  /// Takes free slots without waiting.
  ///
  /// - Parameter most: The maximum number of slots to take.
  /// - Returns: The number of slots taken.
  func takeFree(_ most: Int) -> Int {
    state.withLock { state in
      let count = min(max(0, most), state.free)
      state.free -= count
      return count
    }
  }

  /// Releases slots. Tasks that are waiting for a slot receive them first.
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
