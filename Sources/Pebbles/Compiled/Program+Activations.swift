extension Program {
  /// Whether any pebble has an `enabled` trait, whose closure is called when a run starts.
  var hasActivations: Bool { options.values.contains { !$0.traits.activations.isEmpty } }

  /// Returns the outcomes known at the start of a run that does not continue an earlier run. Calls
  /// user code: each activation at most once, in definition order, and only for requested pebbles.
  ///
  /// - Parameters:
  ///   - subset: The pebbles of the run; `nil` for all.
  ///   - given: The given output of each pebble that has one.
  /// - Returns: The pebbles that are skipped from the start, and those that have succeeded.
  func knownOutcomes(of subset: Set<Int>?, given: [Int: AnyOutput]) -> KnownOutcomes {
    pond.knownOutcomes(disabled: disabledPebbles(of: subset), in: subset) { pebble in
      questions[UInt32(pebble)]?.answers(output: given[pebble]) ?? CaseSet()
    }
  }

  private func disabledPebbles(of subset: Set<Int>?) -> [Int] {
    guard hasActivations else { return [] }
    var answers: [ObjectIdentifier: Bool] = [:]
    return options.keys.map(Int.init).sorted().filter { pebble in
      guard subset?.contains(pebble) != false,
        let activations = options[UInt32(pebble)]?.traits.activations
      else { return false }
      return activations.contains { activation in
        if let known = answers[ObjectIdentifier(activation)] { return !known }
        let isEnabled = activation.isEnabled()
        answers[ObjectIdentifier(activation)] = isEnabled
        return !isEnabled
      }
    }
  }
}
