/// The traits of a pebble, put together.
package struct PebbleTraits: Sendable {
  /// Whether the pebble takes part in a run: only if all say so.
  var activations: [Activation] = []

  /// How long an attempt may take.
  package var timeout: Duration?
  package var retry: RetryPolicy?

  /// All that limits when the pebble can start.
  package var uses: [ResourceUse] = []
  package var priority = 0
  var executor: (any TaskExecutor)?
  var isBlocking = false

  /// What it means when a service ends by itself; as if it were shut down, if not given.
  var ending: ServiceEnding?

  /// How long a service that was asked to stop may take before it is cancelled.
  var stopWithin: Duration?

  /// What is torn down only after a service has stopped.
  var stopsBefore: [PebbleID] = []

  /// Set for a pebble without a body, whose output is what a run is given.
  var given: Given?

  /// The services that a service is called again with.
  var restartsWith: [PebbleID] = []

  /// Puts traits together, the first first.
  init(_ traits: [PebbleTrait] = []) {
    for trait in traits { trait.apply(to: &self) }
  }
}
