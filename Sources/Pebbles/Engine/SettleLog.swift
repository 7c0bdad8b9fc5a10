import Synchronization

/// Counts who settles when, for runs that are torn down in the reverse order.
///
/// Safe to share for the same reason as `ReadinessState`: an entry is written once, by the runner
/// that settles the pebble, before it is seen to be settled, and read when the run is over.
package final class SettleLog: @unchecked Sendable {
  private let last = Atomic<UInt32>(0)
  private let pebbles: UnsafeMutableBufferPointer<UInt32>

  /// The positions before those of each cycle that was skipped. Written at rest only.
  private var cycles: [UInt32] = []

  init(_ network: ReadinessNetwork) {
    pebbles = .allocate(capacity: network.pebbleCount)
    pebbles.initialize(repeating: 0)
  }

  deinit {
    pebbles.deallocate()
  }

  func pebbleSettled(_ pebble: Int) {
    pebbles[pebble] = draw()
  }

  /// The pebbles that settle next wait for each other, and are skipped together.
  func cycleFound() {
    cycles.append(last.load(ordering: .relaxed))
  }

  /// The order so far. The run must be over.
  package var order: SettleOrder {
    SettleOrder(pebbles: Array(pebbles), cycles: cycles)
  }

  private func draw() -> UInt32 {
    last.add(1, ordering: .acquiringAndReleasing).newValue
  }
}
