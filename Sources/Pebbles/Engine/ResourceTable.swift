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

  /// Pebbles of which only so many may run at a time: those of a cluster.
  package struct Group: Sendable, Equatable {
    package let pebbles: Range<Int>
    package let maxConcurrent: Int
  }

  /// How many units each resource has.
  package let capacities: [Int]

  /// How many pebbles may run at a time, if that is limited.
  package let maxConcurrent: Int?

  package let groups: [Group]

  /// For each group the one around it.
  private var outer: [Int?] = []

  /// For each pebble the innermost group it is in; may end early.
  private var innermost: [Int?] = []

  /// The uses of `pebble` are `uses[offsets[pebble] ..< offsets[pebble + 1]]`. Empty if no pebble
  /// uses anything.
  private let offsets: [Int]
  private let uses: [Use]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - capacities: How many units each resource has.
  ///   - uses: What each pebble uses, each resource once, with at most as many units as there are.
  ///     May be empty if no pebble uses anything.
  ///   - maxConcurrent: How many pebbles may run at a time; no limit if `nil`.
  ///   - groups: Pebbles that have such a limit of their own. Of two groups, one is inside of the
  ///     other and comes after it, or they have no pebble in common.
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

  /// Whether nothing is limited, so that every ready pebble may start at once.
  package var isUnlimited: Bool { uses.isEmpty && maxConcurrent == nil && groups.isEmpty }

  /// What a pebble uses, each resource once.
  package func uses(of pebble: UInt32) -> ArraySlice<Use> {
    offsets.isEmpty ? [] : uses[offsets[Int(pebble)]..<offsets[Int(pebble) + 1]]
  }

  /// The groups that a pebble is in, the innermost first.
  package func groups(of pebble: UInt32) -> some Sequence<Int> {
    let first = Int(pebble) < innermost.count ? innermost[Int(pebble)] : nil
    return sequence(state: first) { [outer] next in
      defer { next = next.flatMap { outer[$0] } }
      return next
    }
  }
}
