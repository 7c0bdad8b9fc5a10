import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Pebbles that settle at the same moment on several threads.
@Suite(.watched) struct SettlingAtOnceTests {
  private let pond = Pond("at once")

  /// Calls two functions at once, as nearly as threads can.
  private func atOnce(_ calls: [@Sendable () -> Void]) async {
    final class Start: Sendable { let arrived = Atomic(0) }
    let start = Start()
    await withTaskGroup { group in
      for call in calls {
        group.addTask {
          await withCheckedContinuation { continuation in
            let isStarted = SystemThread.start(named: "at once") {
              start.arrived.add(1, ordering: .sequentiallyConsistent)
              var patience = 100_000
              while start.arrived.load(ordering: .relaxed) < calls.count, patience > 0 {
                patience -= 1
              }
              call()
              continuation.resume()
            }
            #expect(isStarted)
          }
        }
      }
    }
  }

  @Test func theLatestByTheClockIsNotedWhereverBothArrive() async {
    let awaited = (0..<3).map { pond.pebble("awaited \($0)") {} }
    let condition = Condition.all(awaited.map(\.succeeded))
    for number in 0..<1_000 { pond.pebble("\(number)", when: condition) {} }
    let network = pond.program().pond.network

    for _ in 0..<Thoroughness.times(20) {
      let state = ReadinessState(network)
      var decisions = Decisions()
      state.begin(into: &decisions)
      for pebble in 0..<3 { state.pebbleStarted(pebble, at: 0) }
      await atOnce(
        ([(0, 1), (1, 2)] as [(Int, UInt64)]).map { pebble, time in
          {
            var decisions = Decisions()
            state.pebbleFinished(pebble, succeeded: true, at: time, into: &decisions)
          }
        })
      state.pebbleFinished(2, succeeded: true, at: 0, into: &decisions)

      #expect((3..<1_003).allSatisfy { state.readyTime(of: $0) == 2 })
    }
  }
}
