/// The properties of a pond and its pebbles beyond conditions and bodies. The properties contain no
/// user code, because reports keep them.
package struct PondProperties: Sendable {
  /// The properties of the pebbles, by position. Pebbles that have only default properties are
  /// omitted.
  package let pebbles: [UInt32: PebbleProperties]

  /// The limited resources, and the pebbles that use them.
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

/// The properties of a pebble beyond its condition and its body. The properties contain no user
/// code.
package struct PebbleProperties: Sendable, Hashable {
  /// Whether a run can disable the pebble. This is `true` if the pebble has an `enabled` trait.
  package var isOptional = false

  /// The maximum duration of an attempt, rounded up to whole nanoseconds, the unit of all recorded
  /// times.
  package var timeout: Duration?

  package var uses: [ResourceUse] = []
  package var priority = 0
  package var isService = false
  package var isBlocking = false

  /// Whether the pebble has a teardown.
  package var hasTeardown = false

  /// Whether the pebble has no body, because its output is given to the run. Such a pebble succeeds
  /// at the start of each run in which it takes part.
  package var isGiven = false

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
    hasTeardown = options.teardown != nil
    isGiven = options.traits.given != nil
  }
}

extension Duration {
  /// The duration rounded up to whole nanoseconds, at most 584 years.
  fileprivate var roundedUpToNanoseconds: Duration {
    let whole = nanoseconds.asNanoseconds
    return whole < self && nanoseconds < .max ? (nanoseconds + 1).asNanoseconds : whole
  }
}
