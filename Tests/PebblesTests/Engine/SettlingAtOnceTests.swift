import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of pebbles that settle at the same moment on several threads.
@Suite(.watched) struct SettlingAtOnceTests {
  /// A barrier that repeatedly lets two threads continue at nearly the same time. A thread that has
  /// waited too long for the other one continues alone.
  private final class Meetings: Sendable {
    private let arrivals = Atomic(0)
    private let patience = Atomic(20_000_000)

    func meet(_ number: Int) {
      arrivals.add(1, ordering: .sequentiallyConsistent)
      while arrivals.load(ordering: .relaxed) < 2 * (number + 1) {
        if patience.subtract(1, ordering: .relaxed).newValue < 0 { return }
      }
    }
  }

  @Test func theLatestByTheClockIsNotedWhereverTwoArriveAtOnce() async {
    let pond = Pond("at once")
    let awaited = (0..<3).map { pond.pebble("awaited \($0)") {} }
    pond.pebble("last", when: .all(awaited.map(\.succeeded))) {}
    let network = pond.program().pond.network
    let states = (0..<Thoroughness.times(2_000)).map { _ in
      let state = ReadinessState(network)
      var decisions = Decisions()
      state.begin(into: &decisions)
      for pebble in 0..<3 { state.pebbleStarted(pebble, at: 0) }
      return state
    }
    let meetings = Meetings()

    await withTaskGroup { group in
      for pebble in 0..<2 {
        group.addTask {
          await onThread {
            for (number, state) in states.enumerated() {
              var decisions = Decisions()
              meetings.meet(number)
              state.pebbleFinished(
                pebble, succeeded: true, at: UInt64(pebble) + 1, into: &decisions)
            }
          }
        }
      }
    }

    for state in states {
      var decisions = Decisions()
      state.pebbleFinished(2, succeeded: true, at: 0, into: &decisions)
      #expect(state.readyTime(of: 3) == 2)
    }
  }

  private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let isStarted = SystemThread.start(named: "at once") {
        body()
        continuation.resume()
      }
      #expect(isStarted)
      if !isStarted { continuation.resume() }
    }
  }
}
