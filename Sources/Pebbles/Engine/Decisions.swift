/// What a call into the state decided. One per runner, reused from call to call.
package struct Decisions: Sendable {
  /// Pebbles whose condition has just become true, but for `next`.
  package var ready: [UInt32] = []

  /// The first of them, if the caller keeps it apart, which is cheaper than a list of one.
  var next = Self.none
  var keepsNextApart = false

  static let none = UInt32.max

  /// How many pebbles have settled since the caller last took note.
  package var settledCount = 0

  /// Those that were skipped, if the caller wants to know.
  package var skipped: [UInt32] = []
  package var listsSkipped = false

  /// Inner gates whose value is still to be sent on.
  var pending: [Arrival] = []

  /// Pebbles that were skipped and, but for the first so many, still have to send that on: each
  /// only once all is known that the one before has decided. So they arrive in the order of
  /// settling.
  private var unsent: [UInt32] = []
  private var sentCount = 0

  package init() {}

  /// Notes a pebble whose condition has become true. Inlined, which saves a call for each pebble.
  @inline(__always)
  mutating func becameReady(_ pebble: UInt32) {
    if keepsNextApart, next == Self.none {
      next = pebble
    } else {
      ready.append(pebble)
    }
  }

  /// The pebble that was kept apart, if there is one, which is not apart any more. Inlined, as
  /// above.
  @inline(__always)
  mutating func takeNext() -> Int? {
    guard next != Self.none else { return nil }
    defer { next = Self.none }
    return Int(next)
  }

  /// Whether nothing is left to send on.
  @inline(__always)
  var isAllSent: Bool { pending.isEmpty && unsent.isEmpty }

  mutating func wasSkipped(_ pebble: UInt32) {
    unsent.append(pebble)
  }

  /// The pebble whose skip is to be sent on next.
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
