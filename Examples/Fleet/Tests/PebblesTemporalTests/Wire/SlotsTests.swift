import Synchronization
import Testing

@testable import PebblesTemporal

@Suite(.timeLimit(.minutes(5))) struct SlotsTests {
  /// A room that counts the tasks inside, and records the maximum.
  private final class Room: Sendable {
    private let state = Mutex((inside: 0, most: 0))

    var most: Int { state.withLock(\.most) }

    func enter() {
      state.withLock { state in
        state.inside += 1
        state.most = max(state.most, state.inside)
      }
    }

    func leave() {
      state.withLock { $0.inside -= 1 }
    }
  }

  @Test func noMoreAreTakenThanThereAre() async throws {
    let slots = Slots(3)
    let room = Room()

    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          try await slots.take()
          room.enter()
          await Task.yield()
          room.leave()
          slots.giveBack()
        }
      }
    }

    #expect(room.most <= 3)
    #expect(slots.free == 3)
  }

  @Test func whoIsCancelledWaitsNoLongerAndTakesNothing() async throws {
    let slots = Slots(1)
    try await slots.take()
    let waiting = Task { try await slots.take() }
    waiting.cancel()

    await #expect(throws: CancellationError.self) { try await waiting.value }
    slots.giveBack()
    #expect(slots.free == 1)
    #expect(slots.takeFree(5) == 1)
    #expect(slots.takeFree(5) == 0 && slots.takeFree(-1) == 0)
  }
}
