// Definitions made from the known properties of other definitions, for example after reading a
// file. Their pebbles have no bodies, and their closures are stand-ins.
extension PondDefinition {
  /// Creates an empty definition, to which pebbles are added with `append`.
  package convenience init(
    pondName: String, maxConcurrent: Int?, onFailure policy: FailurePolicy.Name
  ) {
    self.init(
      pondName: pondName,
      PondOptions(maxConcurrent: maxConcurrent, onFailure: FailurePolicy(policy)),
      // Keeps the sharing of conditions as it was in the source.
      ConditionTable(packsOperators: false))
  }

  /// Creates an empty definition, to which some of the pebbles of another definition are added
  /// later.
  ///
  /// - Parameters:
  ///   - whole: The other definition.
  ///   - places: The new positions of the pebbles that are added, keyed by their positions in
  ///     `whole`.
  ///   - pebbleCount: The number of pebbles in `whole`.
  ///   - maxConcurrent: The maximum number of pebbles that run at the same time.
  ///   - policy: The name of the failure policy.
  convenience init(
    partOf whole: PondDefinition, _ places: [UInt32: UInt32], pebbleCount: Int,
    maxConcurrent: Int?, _ policy: FailurePolicy.Name
  ) {
    let original = OriginalDefinition(
      definition: whole, pebbleCount: UInt32(pebbleCount), places: places)
    self.init(
      pondName: whole.pondName,
      PondOptions(maxConcurrent: maxConcurrent, onFailure: FailurePolicy(policy)),
      State(ConditionTable(packsOperators: false)),
      originals: whole.originals.map { $0.restricted(to: places) } + [original])
  }

  /// Adds a pebble without a body.
  package func append(
    _ name: String, needs: Condition?, when condition: Condition, _ properties: PebbleProperties?
  ) {
    _ = append(name, needs: needs, when: condition, properties.map(PebbleOptions.init), .none())
  }

  package func setClusters(_ clusters: [PondCluster]) {
    state.withLock { state in
      state.clusters = clusters
      state.revision += 1
    }
  }
}

extension FailurePolicy {
  fileprivate init(_ name: Name) {
    self =
      switch name {
      case .ignore: .ignore
      case .cancelAll: .cancelAll
      case .custom: .custom { _ in .goOn }
      }
  }
}

extension PebbleOptions {
  fileprivate convenience init(_ properties: PebbleProperties) {
    let known = PebbleTrait { traits in
      traits.activations = properties.isOptional ? [Activation { true }] : []
      traits.timeout = properties.timeout
      traits.uses = properties.uses
      traits.priority = properties.priority
      traits.isBlocking = properties.isBlocking
      if properties.isGiven {
        traits.given = PebbleTraits.Given(output: Void.self, value: OutputBox(()))
      }
    }
    let teardown: TeardownBody = { _ in }
    let service: ServiceBody = { _, _ in }
    self.init(
      [known], teardown: properties.hasTeardown ? teardown : nil,
      service: properties.isService ? service : nil)
  }
}
