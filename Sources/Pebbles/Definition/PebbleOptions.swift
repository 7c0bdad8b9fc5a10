/// The options of a pebble beyond its condition and its body. Most pebbles have none.
package final class PebbleOptions: Sendable {
  /// A function that undoes the work of a body, given its output.
  typealias TeardownBody = @Sendable (AnyOutput?) async throws -> Void

  private let given: [PebbleTrait]
  package let traits: PebbleTraits
  let teardown: TeardownBody?

  /// The body of a service; `nil` for other pebbles.
  let service: ServiceBody?

  /// The `around` code of the clusters that the pebble is in, outermost first.
  let around: [Around]

  /// The current positions of the pebbles that inputs and traits mention, if the pebble is a copy
  /// from another pond.
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

  /// Returns the options of an ordinary pebble; `nil` if there are none.
  @inline(__always)
  static func unlessEmpty(_ given: [PebbleTrait], teardown: TeardownBody?) -> PebbleOptions? {
    given.isEmpty && teardown == nil ? nil : PebbleOptions(given, teardown: teardown)
  }

  /// Returns the options of a copy in a cluster that has `around` code and traits for its pebbles.
  /// The traits of the pebble itself come last.
  func surrounded(by layers: [Around], inheriting inherited: [PebbleTrait]) -> PebbleOptions {
    let inherited = isService ? inherited : inherited + [.withoutServiceTraits]
    return PebbleOptions(
      inherited + given, teardown: teardown, service: service, around: layers + around,
      placement: placement)
  }

  /// Returns the options of a copy in another definition.
  func moved(by relocation: inout Relocation) -> PebbleOptions {
    guard isService else { return self }
    return PebbleOptions(
      given, teardown: teardown, service: service, around: around,
      placement: relocation.moved(placement))
  }

  /// Returns the options without any user code, with a stand-in for the body of a service.
  func withStandIn(service standIn: @escaping ServiceBody, isDisabled: Bool) -> PebbleOptions {
    let nothing: TeardownBody = { _ in }
    return PebbleOptions(
      given + [.standIn(isDisabled: isDisabled)], teardown: teardown == nil ? nil : nothing,
      service: service == nil ? nil : standIn, placement: placement)
  }

  /// Returns the options of the pebble with another body.
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

  /// Whether there is something to undo when the run is shut down.
  var hasTeardown: Bool { teardown != nil || service != nil }

  package var isService: Bool { service != nil }

  /// The faults of the options, each a clause that follows the name of the pebble.
  var faults: [String] { traits.faults(isService: isService) }
}

extension PebbleTrait {
  /// A trait that removes all traits for services: a cluster passes these only to its services.
  fileprivate static let withoutServiceTraits = PebbleTrait { traits in
    traits.ending = nil
    traits.stopWithin = nil
    traits.stopsBefore = []
    traits.restartsWith = []
  }

  /// A trait that removes a given value, because a body now produces the output.
  fileprivate static let withBody = PebbleTrait { $0.given = nil }

  /// Returns a trait for a stand-in body, which does no work and so needs neither an executor nor a
  /// thread to block.
  fileprivate static func standIn(isDisabled: Bool) -> PebbleTrait {
    PebbleTrait { traits in
      traits.activations = isDisabled ? [Activation { false }] : []
      traits.executor = nil
      traits.isBlocking = false
      traits.given = nil
    }
  }
}
