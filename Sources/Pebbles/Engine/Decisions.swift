/// What a call into the state decided. One per runner, reused from call to call.
package struct Decisions: Sendable {
  /// Pebbles whose condition has just become true.
  package var ready: [UInt32] = []

  /// Predicates to evaluate, with the pebble whose settling asks for it.
  package var predicates: [PredicateRequest] = []

  /// How many pebbles have settled since the caller last took note.
  package var settledCount = 0

  /// Those that were skipped, if the caller wants to know.
  package var skipped: [UInt32] = []
  package var listsSkipped = false

  /// Sources whose event is still to be sent on.
  var pending: [Arrival] = []

  package init() {}

  struct Arrival {
    let row: UInt32
    let event: Event
    let cause: UInt32
    let latest: UInt32
  }
}

package struct PredicateRequest: Sendable {
  package let predicate: UInt32
  package let cause: UInt32
}
