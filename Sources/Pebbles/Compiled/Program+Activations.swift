extension Program {
  /// Whether pebbles are asked at the start of a run if they take part in it.
  var hasActivations: Bool { options.values.contains { !$0.traits.activations.isEmpty } }

  /// Asks them, in definition order, each activation once. Calls user code.
  func disabledPebbles() -> [UInt32] {
    guard hasActivations else { return [] }
    var answers: [ObjectIdentifier: Bool] = [:]
    return options.keys.sorted().filter { pebble in
      guard let activations = options[pebble]?.traits.activations else { return false }
      return activations.contains { activation in
        if let known = answers[ObjectIdentifier(activation)] { return !known }
        let isEnabled = activation.isEnabled()
        answers[ObjectIdentifier(activation)] = isEnabled
        return !isEnabled
      }
    }
  }
}
