extension Program {
  /// Returns the outputs of all pebbles whose outputs are given to a run. A value given to this run
  /// takes precedence over an output that was given to the resumed run. Both take precedence over
  /// the pebble's default value.
  ///
  /// - Parameters:
  ///   - values: The values given to this run.
  ///   - earlier: The outputs that were given to the resumed run, keyed by pebble.
  ///   - subset: The pebbles of the run; `nil` for all.
  /// - Returns: The outputs, keyed by pebble, and all faults of the values.
  package func outputs(
    given values: [GivenValue], after earlier: [Int: AnyOutput] = [:], in subset: Set<Int>?
  ) -> (outputs: [Int: AnyOutput], faults: [PondError.Fault]) {
    var faults: [PondError.Fault] = []
    var outputs: [Int: AnyOutput] = [:]
    for value in values {
      let name = value.pebble.name.shortLiteral
      guard let pebble = pond.graph.position(of: value.pebble) else {
        faults.append(
          .invalidRun(problem: "is given a value for \(name), a pebble of another pond"))
        continue
      }
      if options[UInt32(pebble)]?.traits.given == nil {
        faults.append(
          .invalidRun(
            problem: "is given a value for \(name), which has a body; add it with given() instead"))
      } else if outputs.updateValue(value.output, forKey: pebble) != nil {
        faults.append(.invalidRun(problem: "is given two values for \(name)"))
      }
    }
    for pebble in pond.givenPebbles where outputs[pebble] == nil {
      // The program of a simulation has no given values, as it has no bodies.
      guard let given = options[UInt32(pebble)]?.traits.given else { continue }
      if let known = earlier[pebble] ?? given.value {
        outputs[pebble] = known
      } else if subset?.contains(pebble) != false {
        let name = pond.graph.names[pebble].shortLiteral
        faults.append(.invalidRun(problem: "is given no value for \(name)"))
      }
    }
    return (outputs, faults)
  }

  /// Returns a fault for each pebble that has a condition although its output is given. Such a
  /// condition would never be evaluated.
  static func givenFaults(
    _ graph: PondGraph, _ options: [UInt32: PebbleOptions]
  ) -> [PondError.Fault] {
    options.filter { $0.value.traits.given != nil }.keys.sorted().compactMap { pebble in
      if case .constant(true) = graph.givenCondition(of: Int(pebble)).expression { return nil }
      return .invalidOption(
        pebble: graph.names[Int(pebble)],
        problem: "is given to each run, so it cannot have a condition")
    }
  }
}

extension Program {
  /// Whether any pebble has an `enabled` trait, whose closure is called when a run starts.
  var hasActivations: Bool { options.values.contains { !$0.traits.activations.isEmpty } }

  /// Returns the outcomes known at the start of a run, except those taken from an earlier run. This
  /// method calls user code: each activation at most once, in definition order, and only for
  /// requested pebbles.
  ///
  /// - Parameters:
  ///   - subset: The pebbles of the run; `nil` for all.
  ///   - given: The given outputs, keyed by pebble.
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
