extension Program {
  /// Returns a program with the same logic, but without most of the user code. Stand-ins replace
  /// the bodies and the closures of cases, and no teardown, `enabled` or `around` closure is
  /// called. Conditions, limits, timeouts, retries and failure policies remain the same, including
  /// their closures.
  ///
  /// - Parameters:
  ///   - disabled: The disabled pebbles. All others are enabled.
  ///   - cases: The cases that hold for each pebble. Other cases do not hold. However, a timeout
  ///     case also holds if the pebble really times out.
  ///   - standIn: A function that takes the position of a pebble, and returns the closure to call
  ///     instead of the pebble's body. The closure produces no output. The closure of a service is
  ///     called before the service is ready; after that, the service runs until it is asked to
  ///     stop.
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
