import Synchronization

/// A log of the order of settling, for runs that are torn down in the reverse order.
///
/// The log is safe to share for the same reason as `ReadinessState`: each entry is written once, by
/// the runner that settles the pebble, before the pebble is seen as settled. The log is read only
/// after the run.
package final class SettleLog: @unchecked Sendable {
  private let last = Atomic<UInt32>(0)
  private let pebbles: UnsafeMutableBufferPointer<UInt32>

  /// The last position before each skipped cycle. Written only at rest.
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

  /// Records that the pebbles that settle next wait for each other and are skipped together.
  func cycleFound() {
    cycles.append(last.load(ordering: .relaxed))
  }

  /// The order of settling. Valid only after the run.
  package var order: SettleOrder {
    SettleOrder(pebbles: Array(pebbles), cycles: cycles)
  }

  private func draw() -> UInt32 {
    last.add(1, ordering: .acquiringAndReleasing).newValue
  }
}
