/// The properties of a pond and its pebbles beyond conditions and bodies, as far as they can be
/// read without calling user code. Reports keep them, so they contain no user code.
package struct PondProperties: Sendable {
  /// The properties by pebble, without pebbles that have only default properties.
  package let pebbles: [UInt32: PebbleProperties]

  /// The limited resources, and how pebbles use them.
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
