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

  /// Sources whose event is still to be sent on.
  var pending: [Arrival] = []

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

  struct Arrival {
    let row: UInt32
    let event: Event
    let cause: UInt32
    let latest: UInt32
  }
}
