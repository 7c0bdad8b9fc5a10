/// The units of a resource that a pebble holds while it runs; see ``PebbleTrait/uses(_:_:of:)``.
package struct ResourceUse: Sendable, Hashable {
  package let key: ResourceKey

  /// The total number of units of the resource; `nil` if this use does not state it.
  package let capacity: Int?

  package let units: Int

  /// Returns a use of some units of a resource. The use also states the capacity, unless `capacity`
  /// is `nil`.
  package static func resource(
    _ name: String, capacity: Int? = nil, units: Int = 1
  ) -> ResourceUse {
    ResourceUse(key: ResourceKey(kind: .resource, name: name), capacity: capacity, units: units)
  }

  /// Returns a use of an exclusive key, which is a resource of one unit.
  package static func exclusive(_ key: String) -> ResourceUse {
    ResourceUse(key: ResourceKey(kind: .exclusive, name: key), capacity: 1, units: 1)
  }
}

/// A key that identifies a resource. An exclusive key and a resource of the same name are
/// different.
package struct ResourceKey: Sendable, Hashable {
  package enum Kind: Sendable {
    case resource
    case exclusive
  }

  package let kind: Kind
  package let name: String
}
