import Synchronization

/// The order in which the pebbles of one run settled. Each settled pebble has a distinct position,
/// drawn from a counter that starts at 1.
///
/// A pebble draws its position before its outcome can be seen. Regardless of the number of runners,
/// its position is therefore higher than the positions of the pebbles that caused it to start or to
/// be skipped. Times do not have this property: pebbles that settle at the same time might seem to
/// have enabled each other in a cycle.
package struct SettleOrder: Sendable {
  /// The position of each pebble; meaningless for a pebble that has not settled.
  package let pebbles: [UInt32]

  /// The last position drawn before each cycle was skipped, in ascending order. The list has one
  /// position for each cycle. A cycle is a set of pebbles that waited for each other and were
  /// skipped together.
  package let cycles: [UInt32]

  package init(pebbles: [UInt32], cycles: [UInt32] = []) {
    self.pebbles = pebbles
    self.cycles = cycles
  }

  /// Returns the last position drawn before a pebble's cycle was skipped; 0 if no pebble had
  /// settled by then.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of cycles.
  package func beginningOfCycle(of pebble: Int) -> UInt32 {
    var range = cycles.startIndex..<cycles.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if cycles[middle] < pebbles[pebble] {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound == 0 ? 0 : cycles[range.lowerBound - 1]
  }
}

/// A log of the order in which pebbles settle, for runs that are torn down in the reverse order.
///
/// The log is safe to share for the same reason as `ReadinessState`: each entry is written once, by
/// the runner that settles the pebble, before the pebble is seen as settled. The log is read only
/// after the run.
package final class SettleLog: @unchecked Sendable {
  private let last = Atomic<UInt32>(0)
  private let pebbles: UnsafeMutableBufferPointer<UInt32>

  /// The positions in `SettleOrder.cycles`. They are written only while the run is at rest.
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

  /// Records that a cycle was found. Its pebbles, which wait for each other, settle next: they are
  /// skipped together.
  func cycleFound() {
    cycles.append(last.load(ordering: .relaxed))
  }

  /// The order in which the pebbles settled. Valid only after the run.
  package var order: SettleOrder {
    SettleOrder(pebbles: Array(pebbles), cycles: cycles)
  }

  private func draw() -> UInt32 {
    last.add(1, ordering: .acquiringAndReleasing).newValue
  }
}
