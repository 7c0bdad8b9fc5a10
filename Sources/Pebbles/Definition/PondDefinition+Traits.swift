// A definition that is made of what is known of another one, as after reading a file. Its pebbles
// have no bodies, and closures are only known to be there.
extension PondDefinition {
  /// An empty definition, to be filled with `append` and then sealed.
  package convenience init(
    pondName: String, maxConcurrent: Int?, onFailure policy: FailurePolicy.Name
  ) {
    self.init(
      pondName: pondName,
      PondOptions(maxConcurrent: maxConcurrent, onFailure: FailurePolicy(policy)),
      // So that conditions share what they shared where they come from.
      ConditionTable(packsOperators: false))
  }

  /// Adds a pebble without a body.
  package func append(
    _ name: String, needs: Condition?, when condition: Condition, _ traits: PebbleTraits?
  ) {
    _ = append(name, needs: needs, when: condition, traits.map(PebbleOptions.init), .none())
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
  fileprivate convenience init(_ traits: PebbleTraits) {
    let isEnabled: @Sendable () -> Bool = { true }
    let service = ServiceOptions(ending: .shutdown, body: { _ in })
    self.init(
      isEnabled: traits.isOptional ? isEnabled : nil, timeout: traits.timeout, uses: traits.uses,
      priority: traits.priority, isBlocking: traits.isBlocking,
      service: traits.isService ? service : nil)
  }
}
