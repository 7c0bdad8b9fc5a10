/// One pebble together with the outcomes that make the atom true.
@usableFromInline
package struct Atom: Sendable, Hashable {
  @usableFromInline package let pebble: PebbleReference
  @usableFromInline package let outcomes: OutcomeSet

  @inlinable
  package init(pebble: PebbleReference, outcomes: OutcomeSet) {
    self.pebble = pebble
    self.outcomes = outcomes
  }
}
