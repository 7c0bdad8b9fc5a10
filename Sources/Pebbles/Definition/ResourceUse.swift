/// What a pebble holds while it runs: units of a resource, see ``PebbleTrait/uses(_:_:of:)``.
package struct ResourceUse: Sendable, Hashable {
  package let key: ResourceKey

  /// How many units there are, if this is a use that says so.
  package let capacity: Int?

  package let units: Int

  /// Units of a resource, of which there are `capacity`, if this is a use that says so.
  package static func resource(
    _ name: String, capacity: Int? = nil, units: Int = 1
  ) -> ResourceUse {
    ResourceUse(key: ResourceKey(kind: .resource, name: name), capacity: capacity, units: units)
  }

  /// The only unit of a key that pebbles exclude each other by.
  package static func exclusive(_ key: String) -> ResourceUse {
    ResourceUse(key: ResourceKey(kind: .exclusive, name: key), capacity: 1, units: 1)
  }
}

/// Tells resources apart: an exclusive key and a resource of the same name are two things.
package struct ResourceKey: Sendable, Hashable {
  package enum Kind: Sendable {
    case resource
    case exclusive
  }

  package let kind: Kind
  package let name: String
}
