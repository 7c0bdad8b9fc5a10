/// A pond's limits on resources and on the number of running pebbles.
///
/// The table contains the capacity of each resource and the units that each pebble uses. It also
/// contains the maximum number of pebbles that run at a time, in total and per group.
///
/// Resources are numbered, and exclusive keys are resources of one unit. The table never changes.
/// All runs share it, and each run counts the free units in its own `AdmissionQueue`.
package struct ResourceTable: Sendable {
  package struct Use: Sendable, Equatable {
    package let resource: Int
    package let units: Int

    package init(resource: Int, units: Int) {
      self.resource = resource
      self.units = units
    }
  }

  /// A group of pebbles with a limit on how many of them run at a time. Each cluster with a valid
  /// limit becomes a group.
  package struct Group: Sendable, Equatable {
    package let pebbles: Range<Int>
    package let maxConcurrent: Int
  }

  /// The number of units of each resource.
  package let capacities: [Int]

  /// The maximum number of pebbles that run at a time; `nil` if there is no limit.
  package let maxConcurrent: Int?

  package let groups: [Group]

  /// The index of each group's parent, the group that directly contains it; `nil` for an outermost
  /// group.
  private var outer: [Int?] = []

  /// The index of each pebble's innermost group; `nil` for a pebble that is not in a group. Pebbles
  /// beyond the end of the array are not in a group either.
  private var innermost: [Int?] = []

  /// The position of each pebble's first use: the uses of `pebble` are
  /// `uses[offsets[pebble] ..< offsets[pebble + 1]]`. Empty if no pebble uses a resource.
  private let offsets: [Int]
  private let uses: [Use]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - capacities: The number of units of each resource.
  ///   - uses: The uses of each pebble. A pebble lists each resource at most once, with no more
  ///     units than the resource has. The array may be empty if no pebble uses a resource.
  ///   - maxConcurrent: The maximum number of pebbles that run at a time; `nil` for no limit.
  ///   - groups: The groups of pebbles that have a limit. If two groups share a pebble, the later
  ///     one in the array is inside the earlier one.
  package init(
    capacities: [Int] = [], uses: [[Use]] = [], maxConcurrent: Int? = nil, groups: [Group] = []
  ) {
    self.capacities = capacities
    self.maxConcurrent = maxConcurrent
    self.groups = groups
    var offsets = uses.isEmpty ? [] : [0]
    var flattened: [Use] = []
    for uses in uses {
      flattened += uses
      offsets.append(flattened.count)
    }
    self.offsets = offsets
    self.uses = flattened
    nestGroups()
  }

  private mutating func nestGroups() {
    let end = groups.map(\.pebbles.upperBound).max() ?? 0
    innermost = Array(repeating: nil, count: end)
    for (number, group) in groups.enumerated() {
      outer.append(group.pebbles.first.flatMap { innermost[$0] })
      for pebble in group.pebbles { innermost[pebble] = number }
    }
  }

  /// Whether the pond has no limits. Without limits, every ready pebble may start immediately.
  package var isUnlimited: Bool { uses.isEmpty && maxConcurrent == nil && groups.isEmpty }

  /// Returns the resources that a pebble uses, with the units of each.
  package func uses(of pebble: UInt32) -> ArraySlice<Use> {
    offsets.isEmpty ? [] : uses[offsets[Int(pebble)]..<offsets[Int(pebble) + 1]]
  }

  /// Returns the groups that contain a pebble, the innermost first.
  package func groups(of pebble: UInt32) -> some Sequence<Int> {
    let first = Int(pebble) < innermost.count ? innermost[Int(pebble)] : nil
    return sequence(state: first) { [outer] next in
      defer { next = next.flatMap { outer[$0] } }
      return next
    }
  }
}
