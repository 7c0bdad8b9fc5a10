/// What a pond and its pebbles were given beyond conditions and bodies, as far as it can be told
/// without calling anything. Reports keep it, so no user code is in it.
package struct PondTraits: Sendable {
  /// By pebble; those that are not in here were given nothing.
  package let pebbles: [UInt32: PebbleTraits]

  /// What pebbles use of limited resources.
  package let limits: ResourceTable

  package let failurePolicy: FailurePolicy.Name

  init(
    _ options: [UInt32: PebbleOptions] = [:], _ limits: ResourceTable = ResourceTable(),
    _ pondOptions: PondOptions = PondOptions()
  ) {
    pebbles =
      options.isEmpty
      ? [:] : options.mapValues(PebbleTraits.init).filter { $0.value != PebbleTraits() }
    self.limits = limits
    failurePolicy = pondOptions.onFailure.name
  }
}
