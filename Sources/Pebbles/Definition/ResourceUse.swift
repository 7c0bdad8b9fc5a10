/// What a pebble holds while it runs: units of a named resource of its pond.
///
/// ```swift
/// pond.pebble("loadUsers", uses: .resource("connections", capacity: 4)) { … }
/// pond.pebble("loadOrders", uses: .resource("connections")) { … }
/// pond.pebble("reindex", uses: .resource("connections", units: 4)) { … }
/// ```
///
/// A resource is not an object, only a count: the pond sees to it that the pebbles of a run never
/// hold more units at a time than there are, and knows nothing of the connections themselves. At
/// least one pebble says how many units there are; if several do, they must agree. Each run counts
/// for itself.
///
/// A ready pebble waits until all it uses is free at once, and holds nothing while it waits. On a
/// resource they share, no pebble that comes after it in order of priority overtakes it: above,
/// `reindex` gets its four connections even if there are always others that would do with one.
public struct ResourceUse: Sendable, Hashable {
  package let key: ResourceKey

  /// How many units there are, if this is a use that says so.
  package let capacity: Int?

  package let units: Int

  /// Units of a resource.
  ///
  /// What is wrong with the numbers or the name, here or between the pebbles of a pond, is a
  /// ``PondError`` when the pond is run.
  ///
  /// - Parameters:
  ///   - name: Tells the resources of a pond apart; not empty.
  ///   - capacity: How many units there are, at least 1. It may be left out where another pebble of
  ///     the pond gives it.
  ///   - units: How many of them the pebble holds while it runs: at least 1, and at most the
  ///     capacity. Several uses of one resource by one pebble add up.
  /// - Returns: The use, to be given to a pebble.
  public static func resource(
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
