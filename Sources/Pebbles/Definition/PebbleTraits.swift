/// The combined traits of a pebble.
package struct PebbleTraits: Sendable {
  /// The functions that decide whether the pebble takes part in a run; the pebble takes part only
  /// if all of them return `true`.
  var activations: [Activation] = []

  /// The longest time that an attempt may take.
  package var timeout: Duration?
  package var retry: RetryPolicy?

  /// The uses of resources and keys that limit when the pebble can start.
  package var uses: [ResourceUse] = []
  package var priority = 0
  var executor: (any TaskExecutor)?
  var isBlocking = false

  /// The effect if the service ends by itself; `nil` stands for `.shutDown`.
  var ending: ServiceEnding?

  /// The time that a service has to end by itself, from the request to stop until its cancellation.
  var stopWithin: Duration?

  /// The pebbles that are torn down only after the service has stopped.
  var stopsBefore: [PebbleID] = []

  /// The type and default of the pebble's given value; `nil` for a pebble with a body.
  var given: Given?

  /// The services that the service restarts with.
  var restartsWith: [PebbleID] = []

  /// Creates the combination of several traits, which are applied in the given order.
  init(_ traits: [PebbleTrait] = []) {
    for trait in traits { trait.apply(to: &self) }
  }
}
