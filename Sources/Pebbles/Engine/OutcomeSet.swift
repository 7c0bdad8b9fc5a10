/// A set of the ways a pebble can end: what one atom of a condition accepts.
///
/// An atom such as `launches.completed` is the pebble plus the set `{succeeded, failed}`. Negating
/// an atom is taking the complement, so negation never needs a node of its own at the leaves.
package struct OutcomeSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let succeeded = OutcomeSet(rawValue: 0b001)
  package static let failed = OutcomeSet(rawValue: 0b010)
  package static let skipped = OutcomeSet(rawValue: 0b100)
  package static let completed: OutcomeSet = [.succeeded, .failed]
  package static let settled: OutcomeSet = [.succeeded, .failed, .skipped]

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
