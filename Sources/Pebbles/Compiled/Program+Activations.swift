extension Program {
  /// Whether pebbles are asked at the start of a run if they take part in it.
  var hasActivations: Bool { options.values.contains { !$0.traits.activations.isEmpty } }

  /// What is known as a run begins that goes on with nothing. Asks in definition order, each
  /// activation once, and only of pebbles that are asked for. Calls user code.
  ///
  /// - Parameters:
  ///   - subset: The pebbles that the run is of; `nil` if it is of all.
  ///   - given: What the run is given, by pebble.
  /// - Returns: Who is skipped from the start, and who has succeeded.
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
