/// The limits of a pond: how many units each resource has, and what each pebble uses of them.
///
/// Resources are numbered; exclusive keys are resources of one unit. The table never changes and is
/// shared by runs, each of which keeps count in an `AdmissionQueue` of its own.
package struct ResourceTable: Sendable {
  package struct Use: Sendable, Equatable {
    package let resource: Int
    package let units: Int

    package init(resource: Int, units: Int) {
      self.resource = resource
      self.units = units
    }
  }

  /// How many units each resource has.
  package let capacities: [Int]

  /// How many pebbles may run at a time, if that is limited.
  package let maxConcurrent: Int?

  /// The uses of `pebble` are `uses[offsets[pebble] ..< offsets[pebble + 1]]`. Empty if nobody uses
  /// anything.
  private let offsets: [Int]
  private let uses: [Use]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - capacities: How many units each resource has.
  ///   - uses: What each pebble uses, each resource once, with at most as many units as there are.
  ///     May be empty if nobody uses anything.
  ///   - maxConcurrent: How many pebbles may run at a time; no limit if `nil`.
  package init(capacities: [Int] = [], uses: [[Use]] = [], maxConcurrent: Int? = nil) {
    self.capacities = capacities
    self.maxConcurrent = maxConcurrent
    var offsets = uses.isEmpty ? [] : [0]
    var flattened: [Use] = []
    for uses in uses {
      flattened += uses
      offsets.append(flattened.count)
    }
    self.offsets = offsets
    self.uses = flattened
  }

  /// Whether nothing is limited, so that every ready pebble may start at once.
  package var isUnlimited: Bool { uses.isEmpty && maxConcurrent == nil }

  /// What a pebble uses, each resource once.
  package func uses(of pebble: UInt32) -> ArraySlice<Use> {
    offsets.isEmpty ? [] : uses[offsets[Int(pebble)]..<offsets[Int(pebble) + 1]]
  }
}
