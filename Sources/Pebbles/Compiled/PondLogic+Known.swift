extension PondLogic {
  /// The pebbles that have no body because their output is given to each run, in definition order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles that have any trait.
  package var givenPebbles: [Int] {
    properties.pebbles.filter(\.value.isGiven).keys.map(Int.init).sorted()
  }

  /// Whether the pond has given pebbles.
  package var hasGivenPebbles: Bool { properties.pebbles.values.contains(where: \.isGiven) }

  /// Returns the outcomes known when a run begins: the skips of disabled and of unrequested
  /// pebbles, and the successes of given pebbles.
  ///
  /// - Parameters:
  ///   - disabled: The disabled pebbles. Those that are not requested are ignored.
  ///   - subset: The requested pebbles; `nil` for all.
  ///   - cases: A function that returns the cases that hold for a pebble whose output is given.
  /// - Returns: The known outcomes.
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
