/// The combined traits of a pebble.
package struct PebbleTraits: Sendable {
  /// The functions that decide whether the pebble takes part in a run; it does only if all of them
  /// say so.
  var activations: [Activation] = []

  /// The longest time that an attempt may take.
  package var timeout: Duration?
  package var retry: RetryPolicy?

  /// The uses of resources and keys that limit when the pebble can start.
  package var uses: [ResourceUse] = []
  package var priority = 0
  var executor: (any TaskExecutor)?
  var isBlocking = false

  /// The effect of a service that ends by itself; `.shutDown` if `nil`.
  var ending: ServiceEnding?

  /// The time that a service that was asked to stop may take before it is cancelled.
  var stopWithin: Duration?

  /// The pebbles that are torn down only after the service has stopped.
  var stopsBefore: [PebbleID] = []

  /// The type and default of the value that a run is given; `nil` for a pebble with a body.
  var given: Given?

  /// The services that the service restarts with.
  var restartsWith: [PebbleID] = []

  /// Combines traits, in this order.
  init(_ traits: [PebbleTrait] = []) {
    for trait in traits { trait.apply(to: &self) }
  }
}
