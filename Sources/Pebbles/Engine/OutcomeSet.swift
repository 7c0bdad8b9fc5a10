/// A set of the ways a pebble can end: what one atom of a condition accepts.
///
/// An atom such as `launches.completed` is the pebble plus the set `{succeeded, failed}`. Negating
/// an atom is taking the complement, so negation never needs a node of its own at the leaves.
@usableFromInline
package struct OutcomeSet: OptionSet, Hashable, Sendable {
  @usableFromInline package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @inlinable package static var succeeded: OutcomeSet { OutcomeSet(rawValue: 0b001) }
  @inlinable package static var failed: OutcomeSet { OutcomeSet(rawValue: 0b010) }
  @inlinable package static var skipped: OutcomeSet { OutcomeSet(rawValue: 0b100) }
  @inlinable package static var completed: OutcomeSet { OutcomeSet(rawValue: 0b011) }
  @inlinable package static var settled: OutcomeSet { OutcomeSet(rawValue: 0b111) }

  package var complement: OutcomeSet { OutcomeSet.settled.subtracting(self) }
}

extension OutcomeSet {
  /// The outcome that an event stands for.
  package init(_ event: Event) {
    self.init(rawValue: 1 << UInt8(event.rawValue))
  }

  /// Whether the outcome that an event stands for is one of these.
  package func accepts(_ event: Event) -> Bool { rawValue >> event.rawValue & 1 == 1 }
}
