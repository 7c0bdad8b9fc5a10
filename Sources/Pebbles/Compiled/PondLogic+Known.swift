extension PondLogic {
  /// The pebbles that have no body, as every run is given what they put out; in definition order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles that were given any trait.
  package var givenPebbles: [Int] {
    properties.pebbles.filter(\.value.isGiven).keys.map(Int.init).sorted()
  }

  /// Whether there are any.
  package var hasGivenPebbles: Bool { properties.pebbles.values.contains(where: \.isGiven) }

  /// What is known as a run begins: who is skipped, and what it is given.
  ///
  /// - Parameters:
  ///   - disabled: Those that are disabled, if they are asked for.
  ///   - subset: What is asked for; `nil` for everything.
  ///   - cases: Which cases hold of a pebble that is given.
  /// - Returns: The outcomes.
  package func knownOutcomes(
    disabled: some Sequence<Int>, in subset: Set<Int>?, cases: (Int) -> CaseSet
  ) -> KnownOutcomes {
    let disabled = Set(disabled)
    var known = KnownOutcomes(disabled: disabled, in: subset, of: network.pebbleCount)
    for pebble in givenPebbles
    where subset?.contains(pebble) != false && !disabled.contains(pebble) {
      known.succeeded.append(KnownOutcomes.Success(pebble, cases(pebble)))
    }
    return known
  }
}
