extension Program {
  /// The same logic without the code: bodies are replaced, and no teardown, no `enabled` and
  /// nothing around bodies is called. What is logic stays: conditions, limits, timeouts, retries
  /// and what a failure means.
  ///
  /// - Parameters:
  ///   - disabled: The pebbles that take no part; all others do.
  ///   - cases: The cases that hold; of all others none does but for timeouts.
  ///   - standIn: Makes what is called instead of the body of the pebble at a position. It gives no
  ///     output. That of a service is called before the service is ready; after that it goes on
  ///     until it is cancelled.
  /// - Returns: A program of the same pebbles.
  /// - Complexity: O(pebbles).
  package func withStandIns(
    disabled: Set<Int>, cases: [Int: CaseSet] = [:], _ standIn: (Int) -> StandIn
  ) -> Program {
    let bodies = StableList<Body>()
    var options: [UInt32: PebbleOptions] = [:]
    for pebble in 0..<pond.network.pebbleCount {
      let call = standIn(pebble)
      bodies.append(Body(call))
      let known = self.options[UInt32(pebble)]
      let isDisabled = disabled.contains(pebble)
      guard known != nil || isDisabled else { continue }
      let service = serviceBody(startingWith: { _ in
        try await call()
        return nil
      })
      options[UInt32(pebble)] = (known ?? .none).withStandIn(
        service: service, isDisabled: isDisabled)
    }
    var pondOptions = pondOptions
    pondOptions.around = []
    let questions = self.questions.map { pebble, questions in
      (pebble, questions.holding(cases[Int(pebble)] ?? CaseSet()))
    }
    return Program(
      self, bodies: bodies, options: options,
      questions: Dictionary(uniqueKeysWithValues: questions), pondOptions)
  }
}
