/// The combined traits of a pebble.
package struct PebbleTraits: Sendable {
  /// The functions that decide whether the pebble takes part in a run; the pebble takes part only
  /// if all of them return `true`.
  var activations: [Activation] = []

  /// The maximum duration of an attempt.
  package var timeout: Duration?
  package var retry: RetryPolicy?

  /// The resources and keys that the pebble uses. They limit when the pebble can start.
  package var uses: [ResourceUse] = []
  package var priority = 0
  var executor: (any TaskExecutor)?
  var isBlocking = false

  /// The effect on the run if the service ends by itself; `nil` means `.shutDown`.
  var ending: ServiceEnding?

  /// The time between the stop request and the cancellation of the service; `nil` if the service is
  /// cancelled at once.
  var stopWithin: Duration?

  /// The pebbles that are torn down only after the service has stopped.
  var stopsBefore: [PebbleID] = []

  /// The type and default of the value that is given to the run for this pebble; `nil` for a pebble
  /// with a body.
  var given: Given?

  /// The services that the service is restarted with.
  var restartsWith: [PebbleID] = []

  /// Creates the combination of several traits, which are applied in the given order.
  init(_ traits: [PebbleTrait] = []) {
    for trait in traits { trait.apply(to: &self) }
  }
}

extension PebbleTraits {
  /// Returns the faults of the traits, worded to follow the pebble's name in a sentence:
  /// `"has a timeout of 0.0 seconds; …"`.
  func faults(isService: Bool) -> [String] {
    var faults = (retry?.faults ?? []).map { "cannot be retried: \($0)" }
    if let timeout, timeout <= .zero {
      faults.append("has a timeout of \(timeout); it must be longer than zero")
    }
    if executor != nil, isBlocking {
      faults.append("has an executor and is blocking as well; a body runs in one place only")
    }
    if isService {
      if isBlocking { faults.append("is a service and cannot be blocking; give it an executor") }
      faults += ending?.faults ?? []
      if let stopWithin, stopWithin <= .zero {
        faults.append("has a stopWithin of \(stopWithin); it must be longer than zero")
      }
    } else {
      let given = [
        (".ending(_:)", ending != nil), (".stopWithin(_:)", stopWithin != nil),
        (".stopsBefore(_:)", !stopsBefore.isEmpty),
        (".restartsWith(_:)", !restartsWith.isEmpty),
      ]
      faults += given.filter(\.1).map {
        "has the trait \($0.0), which is for services only; leave it out"
      }
    }
    return faults
  }
}

/// A function that decides whether pebbles take part in a run. If the function comes from a
/// cluster's trait, all pebbles of the cluster share it, and a run calls it only once.
final class Activation: Sendable {
  let isEnabled: @Sendable () -> Bool

  init(_ isEnabled: @escaping @Sendable () -> Bool) {
    self.isEnabled = isEnabled
  }
}
