/// What a pebble was given beyond its condition and its body, as far as it can be told without
/// calling anything.
package struct PebbleProperties: Sendable, Hashable {
  /// Whether it may be disabled for a run.
  package var isOptional = false

  /// How long an attempt may take, in whole nanoseconds: that is how times are recorded.
  package var timeout: Duration?

  package var uses: [ResourceUse] = []
  package var priority = 0
  package var isService = false
  package var isBlocking = false

  package init() {}
}

extension PebbleProperties {
  init(_ options: PebbleOptions) {
    isOptional = !options.traits.activations.isEmpty
    timeout = options.traits.timeout?.roundedUpToNanoseconds
    uses = options.traits.uses
    priority = options.traits.priority
    isService = options.isService
    isBlocking = options.traits.isBlocking
  }
}

/// What a pond and its pebbles were given beyond conditions and bodies, as far as it can be told
/// without calling anything. Reports keep it, so no user code is in it.
package struct PondProperties: Sendable {
  /// By pebble; those that are not in here were given nothing.
  package let pebbles: [UInt32: PebbleProperties]

  /// What pebbles use of limited resources.
  package let limits: ResourceTable

  package let failurePolicy: FailurePolicy.Name

  init(
    _ options: [UInt32: PebbleOptions] = [:], _ limits: ResourceTable = ResourceTable(),
    _ pondOptions: PondOptions = PondOptions()
  ) {
    pebbles =
      options.isEmpty
      ? [:] : options.mapValues(PebbleProperties.init).filter { $0.value != PebbleProperties() }
    self.limits = limits
    failurePolicy = pondOptions.onFailure.name
  }
}

extension Duration {
  /// The next duration in whole nanoseconds, at most 584 years.
  fileprivate var roundedUpToNanoseconds: Duration {
    let whole = nanoseconds.asNanoseconds
    return whole < self && nanoseconds < .max ? (nanoseconds + 1).asNanoseconds : whole
  }
}

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
    }
    let nothing: ServiceBody = { _ in }
    self.init([known], service: properties.isService ? nothing : nil)
  }
}
