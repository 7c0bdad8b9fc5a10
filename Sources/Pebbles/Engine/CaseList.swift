/// The cases of one pebble, as they are known without their closures.
package struct CaseList: Sendable, Hashable {
  /// In the order of their definition.
  package private(set) var cases: [PebbleCase]

  /// Whether one of the values holds whenever the pebble succeeds.
  package private(set) var isExhaustive: Bool

  /// The most that a pebble can have: an answer is a bit of a word.
  package static let most = 64

  package init(_ cases: [PebbleCase] = [], isExhaustive: Bool = false) {
    self.cases = cases
    self.isExhaustive = isExhaustive
  }

  mutating func append(_ one: PebbleCase) { cases.append(one) }

  mutating func valuesAreAll() { isExhaustive = true }

  /// Where a case stands.
  ///
  /// - Complexity: O(cases).
  package func place(of one: PebbleCase) -> Int? { cases.firstIndex(of: one) }

  /// Cases that are said to hold, by their places.
  ///
  /// - Throws: `ImpossibleCase` for one that the pebble does not have, or that does not belong to
  ///   how it ended, and for two values, or a timeout with another case.
  package func set(
    of held: [PebbleCase], succeeded: Bool
  ) throws(ImpossibleCase) -> CaseSet {
    var set = CaseSet()
    var value: PebbleCase?
    for one in held {
      guard let place = place(of: one) else { throw ImpossibleCase(one, "which it does not have") }
      guard one.isFailure != succeeded else {
        throw ImpossibleCase(one, "but it \(succeeded ? "succeeded" : "failed")")
      }
      if one == .timedOut ? !set.isEmpty : one.isFailure && holdsTimeout(set) {
        throw ImpossibleCase(one, "and of a timeout no other case holds, as nobody threw anything")
      }
      if let value, one.isValue, value != one {
        throw ImpossibleCase(one, "and as \(value), of which only one can be")
      }
      if one.isValue { value = one }
      set.insert(place: place)
    }
    return set
  }

  private func holdsTimeout(_ set: CaseSet) -> Bool {
    place(of: .timedOut).map(set.contains(place:)) ?? false
  }

  /// The cases that are in a set.
  package subscript(set: CaseSet) -> [PebbleCase] {
    cases.indices.filter(set.contains(place:)).map { cases[$0] }
  }
}

/// Some of the cases of one pebble, by their places: what was answered.
package struct CaseSet: Sendable, Hashable {
  package private(set) var bits: UInt64 = 0

  package init(bits: UInt64 = 0) {
    self.bits = bits
  }

  package func contains(place: Int) -> Bool { bits >> UInt64(place) & 1 == 1 }

  package mutating func insert(place: Int) {
    bits |= 1 << UInt64(place)
  }

  package var isEmpty: Bool { bits == 0 }
}

/// A case is said to hold that cannot.
package struct ImpossibleCase: Error {
  /// As what follows "it was settled".
  package let clause: String

  init(_ one: PebbleCase, _ problem: String) {
    clause = "as \("\(one)".truncated(to: 80)), \(problem)"
  }
}
