extension Program {
  /// Whether pebbles are asked at the start of a run if they take part in it.
  var hasActivations: Bool { options.values.contains { !$0.traits.activations.isEmpty } }

  /// Who takes no part in a run. Asks in definition order, each activation once, and only of
  /// pebbles that are asked for. Calls user code.
  ///
  /// - Parameter subset: The pebbles that the run is of; `nil` if it is of all.
  /// - Returns: Those that are not.
  func absentees(of subset: Set<Int>?) -> Absentees {
    Absentees(disabledPebbles(of: subset), subset, of: pond.network.pebbleCount)
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
