/// The cases of one pebble, without their closures.
package struct CaseList: Sendable, Hashable {
  /// The cases in the order of their definition.
  package private(set) var cases: [PebbleCase]

  /// Whether one of the `is` cases holds whenever the pebble succeeds.
  package private(set) var isExhaustive: Bool

  /// The maximum number of cases per pebble, which is the number of bits in a `CaseSet`.
  package static let most = 64

  package init(_ cases: [PebbleCase] = [], isExhaustive: Bool = false) {
    self.cases = cases
    self.isExhaustive = isExhaustive
  }

  mutating func append(_ one: PebbleCase) { cases.append(one) }

  mutating func markExhaustive() { isExhaustive = true }

  /// Returns the position of a case, or `nil` if the pebble does not have it.
  ///
  /// - Complexity: O(cases).
  package func place(of one: PebbleCase) -> Int? { cases.firstIndex(of: one) }

  /// Returns the given cases as a set after checking that they can hold for the given outcome.
  ///
  /// - Throws: `ImpossibleCase` if the pebble lacks one of the cases, or if a case does not belong
  ///   to the given outcome. The error is also thrown if two cases stand for different values, or
  ///   if a timeout is combined with another failure case.
  package func set(
    of held: [PebbleCase], succeeded: Bool
  ) throws(ImpossibleCase) -> CaseSet {
    var set = CaseSet()
    var value: PebbleCase?
    let isTimeout = held.contains(.timedOut) && cases.contains(.timedOut)
    for one in held {
      guard let place = place(of: one) else { throw ImpossibleCase(one, "which it does not have") }
      guard one.isFailure != succeeded else {
        throw ImpossibleCase(one, "but it \(succeeded ? "succeeded" : "failed")")
      }
      if isTimeout, one.isFailure, one != .timedOut {
        throw ImpossibleCase(one, "which a timeout cannot have: nothing was thrown")
      }
      if let value, one.isValue, value != one {
        throw ImpossibleCase(one, "and as \(value), but it has only one value")
      }
      if one.isValue { value = one }
      set.insert(place: place)
    }
    return set
  }

  /// Returns the cases in a set.
  package subscript(set: CaseSet) -> [PebbleCase] {
    cases.indices.filter(set.contains(place:)).map { cases[$0] }
  }
}

/// A set of cases of one pebble, stored as one bit for each position in `CaseList.cases`.
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

/// An error thrown for a case that cannot hold.
package struct ImpossibleCase: Error {
  /// A description of the problem, worded to follow "it was settled", such as
  /// `"as timedOut, which it does not have"`.
  package let clause: String

  init(_ one: PebbleCase, _ problem: String) {
    clause = "as \("\(one)".truncated(to: 80)), \(problem)"
  }
}
