/// The options of a pebble beyond its condition and its body. Most pebbles have none.
package final class PebbleOptions: Sendable {
  /// A function that undoes the work of a body. It receives the output of the body.
  typealias TeardownBody = @Sendable (AnyOutput?) async throws -> Void

  private let given: [PebbleTrait]
  package let traits: PebbleTraits
  let teardown: TeardownBody?

  /// The body of a service; `nil` for other pebbles.
  let service: ServiceBody?

  /// The `around` code of the enclosing clusters, outermost first.
  let around: [Around]

  /// The positions of the pebbles that a copied service mentions in its inputs and traits; `nil`
  /// unless the pebble is a service that was copied from another pond.
  let placement: Placement?

  static let none = PebbleOptions()

  init(
    _ given: [PebbleTrait] = [], teardown: TeardownBody? = nil, service: ServiceBody? = nil,
    around: [Around] = [], placement: Placement? = nil
  ) {
    self.given = given
    traits = PebbleTraits(given)
    self.teardown = teardown
    self.service = service
    self.around = around
    self.placement = placement
  }

  /// Returns options with the given traits and teardown; `nil` if there are no traits and no
  /// teardown.
  @inline(__always)
  static func unlessEmpty(_ given: [PebbleTrait], teardown: TeardownBody?) -> PebbleOptions? {
    given.isEmpty && teardown == nil ? nil : PebbleOptions(given, teardown: teardown)
  }

  /// Returns these options for a copy of the pebble in a cluster. The `around` code and the traits
  /// of the cluster come before those of the pebble. Traits that apply only to services are not
  /// inherited by other pebbles.
  func surrounded(by layers: [Around], inheriting inherited: [PebbleTrait]) -> PebbleOptions {
    let inherited = isService ? inherited : inherited + [.withoutServiceTraits]
    return PebbleOptions(
      inherited + given, teardown: teardown, service: service, around: layers + around,
      placement: placement)
  }

  /// Returns these options for a copy of the pebble in another definition. Only the options of a
  /// service change, because its body and its traits mention pebbles that have new positions.
  func moved(by relocation: inout Relocation) -> PebbleOptions {
    guard isService else { return self }
    return PebbleOptions(
      given, teardown: teardown, service: service, around: around,
      placement: relocation.moved(placement))
  }

  /// Returns these options with most of the user code replaced. The body of a service is replaced
  /// by `standIn`, and a teardown by an empty function. The `around` code is removed. The
  /// pebble takes part in runs unless `isDisabled` is `true`. The closures of retry policies
  /// remain.
  func withStandIn(service standIn: @escaping ServiceBody, isDisabled: Bool) -> PebbleOptions {
    let nothing: TeardownBody = { _ in }
    return PebbleOptions(
      given + [.standIn(isDisabled: isDisabled)], teardown: teardown == nil ? nil : nothing,
      service: service == nil ? nil : standIn, placement: placement)
  }

  /// Returns a copy of these options for a new body, with the given teardown and, for a service,
  /// the given service body. A pebble whose output was a given value becomes a pebble with a body.
  func replacing(teardown: TeardownBody?, service: ServiceBody?) -> PebbleOptions {
    PebbleOptions(
      given + [.withBody], teardown: teardown, service: service, around: around,
      placement: placement)
  }

  /// Whether calling the body involves anything beyond awaiting it, such as a timeout or retries.
  var needsAttempts: Bool {
    traits.timeout != nil || traits.retry != nil || traits.executor != nil || traits.isBlocking
      || service != nil || !around.isEmpty
  }

  /// Whether the pebble has to be torn down or stopped when the run is shut down.
  var hasTeardown: Bool { teardown != nil || service != nil }

  package var isService: Bool { service != nil }

  /// The faults of the options, worded to follow the pebble's name in a sentence:
  /// `"has a timeout of 0.0 seconds; …"`.
  var faults: [String] { traits.faults(isService: isService) }
}

extension PebbleTrait {
  /// A trait that removes all traits for services. It is added to the pebbles of a cluster that are
  /// not services, so that they do not inherit such traits.
  fileprivate static let withoutServiceTraits = PebbleTrait { traits in
    traits.ending = nil
    traits.stopWithin = nil
    traits.stopsBefore = []
    traits.restartsWith = []
  }

  /// A trait that removes a given value, because a body now produces the output.
  fileprivate static let withBody = PebbleTrait { $0.given = nil }

  /// Returns a trait for a stand-in body. Such a body does no work, so it needs no executor and
  /// does not block a thread.
  fileprivate static func standIn(isDisabled: Bool) -> PebbleTrait {
    PebbleTrait { traits in
      traits.activations = isDisabled ? [Activation { false }] : []
      traits.executor = nil
      traits.isBlocking = false
      traits.given = nil
    }
  }
}
