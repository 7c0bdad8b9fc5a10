/// One pebble together with the outcomes that make the atom true.
package struct Atom: Sendable, Hashable {
  package let pebble: PebbleReference
  package let outcomes: OutcomeSet

  package init(pebble: PebbleReference, outcomes: OutcomeSet) {
    self.pebble = pebble
    self.outcomes = outcomes
  }
}
