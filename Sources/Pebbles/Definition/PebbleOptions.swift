/// What a pebble was given beyond its condition and its body. Most were given nothing.
package final class PebbleOptions: Sendable {
  /// Undoes what a body did, given what it returned.
  typealias TeardownBody = @Sendable (AnyOutput?) async throws -> Void

  private let given: [PebbleTrait]
  package let traits: PebbleTraits
  let teardown: TeardownBody?

  /// Set for a service.
  let service: ServiceBody?

  /// What the clusters that the pebble is in have around it, outermost first.
  let around: [Around]

  /// Where the pebbles stand now that inputs and traits mention, if the pebble came with a cluster.
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

  /// The options of an ordinary pebble, or `nil` if there are none.
  @inline(__always)
  static func unlessEmpty(_ given: [PebbleTrait], teardown: TeardownBody?) -> PebbleOptions? {
    given.isEmpty && teardown == nil ? nil : PebbleOptions(given, teardown: teardown)
  }

  /// The options of a copy in a cluster that has something around its pebbles and gives them
  /// traits, which those of the pebble itself come after.
  func surrounded(by layers: [Around], inheriting inherited: [PebbleTrait]) -> PebbleOptions {
    let inherited = isService ? inherited : inherited + [.withoutServiceTraits]
    return PebbleOptions(
      inherited + given, teardown: teardown, service: service, around: layers + around,
      placement: placement)
  }

  /// The options of a copy in another definition.
  func moved(by relocation: inout Relocation) -> PebbleOptions {
    guard isService else { return self }
    return PebbleOptions(
      given, teardown: teardown, service: service, around: around,
      placement: relocation.moved(placement))
  }

  /// The same where nothing of the user is called: with a stand-in for the body of a service.
  func withStandIn(service standIn: @escaping ServiceBody, isDisabled: Bool) -> PebbleOptions {
    let nothing: TeardownBody = { _ in }
    return PebbleOptions(
      given + [.standIn(isDisabled: isDisabled)], teardown: teardown == nil ? nil : nothing,
      service: service == nil ? nil : standIn, placement: placement)
  }

  /// The same for another body.
  func replacing(teardown: TeardownBody?, service: ServiceBody?) -> PebbleOptions {
    PebbleOptions(
      given + [.withBody], teardown: teardown, service: service, around: around,
      placement: placement)
  }

  /// Whether the body has to be called with more than an `await`.
  var needsAttempts: Bool {
    traits.timeout != nil || traits.retry != nil || traits.executor != nil || traits.isBlocking
      || service != nil || !around.isEmpty
  }

  /// Whether there is something to undo when the run is shut down.
  var hasTeardown: Bool { teardown != nil || service != nil }

  package var isService: Bool { service != nil }

  /// What is wrong with them, each a clause that follows the name of the pebble.
  var faults: [String] { traits.faults(isService: isService) }
}

extension PebbleTrait {
  /// Where a cluster has a trait for the services in it, its other pebbles have not.
  fileprivate static let withoutServiceTraits = PebbleTrait { traits in
    traits.ending = nil
    traits.stopWithin = nil
    traits.stopsBefore = []
    traits.restartsWith = []
  }

  /// What was given to runs is made by a body now.
  fileprivate static let withBody = PebbleTrait { $0.given = nil }

  /// A body that does nothing of its own needs no place to run in.
  fileprivate static func standIn(isDisabled: Bool) -> PebbleTrait {
    PebbleTrait { traits in
      traits.activations = isDisabled ? [Activation { false }] : []
      traits.executor = nil
      traits.isBlocking = false
      traits.given = nil
    }
  }
}
