/// What a pond and its pebbles were given beyond conditions and bodies, as far as it can be told
/// without calling anything. Reports keep it, so no user code is in it.
package struct PondProperties: Sendable {
  /// By pebble; those that are not in here were given nothing.
  package let pebbles: [UInt32: PebbleProperties]

  /// What pebbles use of limited resources.
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
