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

  /// Whether there is something to undo once it has succeeded.
  package var hasTeardown = false

  /// Whether it has no body, and succeeds as every run begins with what that is given.
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
  /// The next duration in whole nanoseconds, at most 584 years.
  fileprivate var roundedUpToNanoseconds: Duration {
    let whole = nanoseconds.asNanoseconds
    return whole < self && nanoseconds < .max ? (nanoseconds + 1).asNanoseconds : whole
  }
}
