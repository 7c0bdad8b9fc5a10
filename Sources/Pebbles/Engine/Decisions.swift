/// The decisions that result from calling a method of `ReadinessState`. Each runner has one
/// instance and reuses it for all its calls.
package struct Decisions: Sendable {
  /// The pebbles that have become ready, except `next`.
  package var ready: [UInt32] = []

  /// The first pebble that became ready, if `keepsNextApart` is true; otherwise `none`. Storing it
  /// separately is cheaper than using a list with one element.
  var next = Self.none
  var keepsNextApart = false

  static let none = UInt32.max

  /// The number of pebbles that have settled since the caller last reset this number.
  package var settledCount = 0

  /// The pebbles that were skipped, if `listsSkipped` is true.
  package var skipped: [UInt32] = []
  package var listsSkipped = false

  /// The decided inner gates whose values have not been passed on yet.
  var pending: [Arrival] = []

  /// The skipped pebbles, in the order in which they settled. The skips of the first `sentCount`
  /// pebbles have been passed on. Each further skip is passed on only when all consequences of the
  /// previous skip are known. This ensures that skips arrive in the order in which pebbles settled.
  private var unsent: [UInt32] = []
  private var sentCount = 0

  package init() {}

  /// Records a pebble whose condition has become true. Inlining saves a call for each pebble.
  @inline(__always)
  mutating func becameReady(_ pebble: UInt32) {
    if keepsNextApart, next == Self.none {
      next = pebble
    } else {
      ready.append(pebble)
    }
  }

  /// Removes and returns the pebble in `next`, or returns `nil` if `next` is empty. Inlining saves
  /// a call for each pebble.
  @inline(__always)
  mutating func takeNext() -> Int? {
    guard next != Self.none else { return nil }
    defer { next = Self.none }
    return Int(next)
  }

  /// Whether every value and every skip has been passed on.
  @inline(__always)
  var isAllSent: Bool { pending.isEmpty && unsent.isEmpty }

  mutating func wasSkipped(_ pebble: UInt32) {
    unsent.append(pebble)
  }

  /// Returns the pebble whose skip must be passed on next, and marks the skip as passed on. Returns
  /// `nil` if all skips have been passed on.
  mutating func takeUnsent() -> UInt32? {
    guard sentCount < unsent.count else {
      unsent.removeAll(keepingCapacity: true)
      sentCount = 0
      return nil
    }
    defer { sentCount += 1 }
    return unsent[sentCount]
  }

  struct Arrival {
    let row: UInt32
    let event: Event
    let cause: UInt32
    let latest: UInt32
  }
}
