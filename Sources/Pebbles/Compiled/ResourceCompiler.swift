/// A compiler that builds the `ResourceTable` of a pond, and finds faults in the pond's limits.
///
/// Faulty uses of resources are left out of the table. The table is therefore always valid, but a
/// pond with faults must not be run with it.
struct ResourceCompiler {
  private let names: [String]
  private let uses: [(key: UInt32, value: [ResourceUse])]
  private let maxConcurrent: Int?
  private let groups: [ResourceTable.Group]

  private var resources: [Resource] = []
  private var numbers: [ResourceKey: Int] = [:]

  /// The faults of the pond, followed by those of the pebbles in definition order.
  private(set) var faults: [PondError.Fault] = []

  /// The keys of the resources in the table, indexed by resource number.
  var keys: [ResourceKey] { resources.map(\.key) }

  private struct Resource {
    let key: ResourceKey

    /// The capacity of the resource, and the pebble that states this capacity; `nil` if no pebble
    /// states a capacity. If several pebbles state a capacity, the first valid capacity is used. If
    /// all are invalid, the first capacity is used.
    var given: (capacity: Int, pebble: UInt32)?
  }

  /// Creates a compiler.
  ///
  /// - Parameters:
  ///   - names: The names of all pebbles.
  ///   - uses: The resources that each pebble uses, including exclusive keys, keyed by pebble.
  ///     Pebbles that use no resources are omitted.
  ///   - maxConcurrent: The maximum number of pebbles that run at a time; `nil` for no limit.
  ///   - groups: The groups of pebbles that have a limit, as in `ResourceTable`.
  init(
    names: [String], uses: [UInt32: [ResourceUse]], maxConcurrent: Int?,
    groups: [ResourceTable.Group] = []
  ) {
    self.names = names
    self.groups = groups
    self.uses = uses.sorted { $0.key < $1.key }
    self.maxConcurrent = maxConcurrent
  }

  /// Compiles the table, and collects the faults.
  ///
  /// - Complexity: O(pebbles + *u* log *u*), where *u* is the number of uses.
  mutating func compile() -> ResourceTable {
    if let maxConcurrent, maxConcurrent < 1 {
      let problem = "lets at most \(maxConcurrent) pebbles run at a time; make that 1 or more"
      faults.append(.invalidPond(problem: problem))
    }
    for (pebble, uses) in uses {
      for use in uses { note(use, by: pebble) }
    }
    var compiled = [[ResourceTable.Use]](repeating: [], count: uses.isEmpty ? 0 : names.count)
    for (pebble, uses) in uses {
      compiled[Int(pebble)] = compile(uses, of: pebble)
    }
    return ResourceTable(
      capacities: resources.map { $0.given?.capacity ?? 0 }, uses: compiled,
      maxConcurrent: maxConcurrent.map { max($0, 1) }, groups: groups)
  }

  /// Assigns a number to a resource that a pebble uses, and records the capacity if the pebble
  /// states it. Faults are found later, when the resources of all pebbles are known.
  private mutating func note(_ use: ResourceUse, by pebble: UInt32) {
    guard !use.key.name.isEmpty else { return }
    let number = numbers[use.key] ?? resources.count
    if number == resources.count {
      numbers[use.key] = number
      resources.append(Resource(key: use.key))
    }
    guard let capacity = use.capacity else { return }
    if let given = resources[number].given, given.capacity >= 1 || capacity < 1 { return }
    resources[number].given = (capacity, pebble)
  }

  private mutating func compile(_ uses: [ResourceUse], of pebble: UInt32) -> [ResourceTable.Use] {
    var numbered: [(number: Int, use: ResourceUse)] = []
    for use in uses {
      if let number = numbers[use.key] {
        numbered.append((number, use))
      } else {
        addFault(of: pebble, use.key.clauseForEmptyName)
      }
    }
    numbered.sort { $0.number < $1.number }

    var compiled: [ResourceTable.Use] = []
    var rest = numbered[...]
    while let number = rest.first?.number {
      let end = rest.firstIndex { $0.number != number } ?? rest.endIndex
      let units = units(of: resources[number], in: rest[..<end].map(\.use), by: pebble)
      if let units { compiled.append(ResourceTable.Use(resource: number, units: units)) }
      rest = rest[end...]
    }
    return compiled
  }

  /// Adds up a pebble's uses of a resource, and records the faults of these uses.
  ///
  /// - Returns: The sum, or `nil` if there is a fault.
  private mutating func units(
    of resource: Resource, in uses: [ResourceUse], by pebble: UInt32
  ) -> Int? {
    let known = faults.count
    let name = resource.key.text
    for use in uses {
      if let capacity = use.capacity { check(capacity, of: resource, by: pebble) }
      if use.units < 1 { addFault(of: pebble, "uses \(use.units) units of \(name); use 1 or more") }
    }
    guard let given = resource.given else {
      addFault(
        of: pebble,
        "uses the unknown resource \(resource.key.literal); give it a capacity in one of the "
          + "pebbles that use it")
      return nil
    }
    guard faults.count == known, given.capacity >= 1 else { return nil }

    let units = resource.key.sum(of: uses)
    guard let units, units <= given.capacity else {
      let amount = units.map { "\($0) units" } ?? "more units than can be counted"
      addFault(
        of: pebble,
        "uses \(amount) of \(name), which has \(given.capacity); use fewer or raise its capacity")
      return nil
    }
    return units
  }

  private mutating func check(_ capacity: Int, of resource: Resource, by pebble: UInt32) {
    guard let given = resource.given else { return }
    let name = resource.key.text
    if capacity < 1 {
      addFault(of: pebble, "gives \(name) the capacity \(capacity); give it 1 or more")
    } else if capacity != given.capacity {
      let other = names[Int(given.pebble)].shortLiteral
      addFault(
        of: pebble,
        "gives \(name) the capacity \(capacity), but \(other) gives it \(given.capacity); "
          + "give it only one")
    }
  }

  private mutating func addFault(of pebble: UInt32, _ problem: String) {
    faults.append(.invalidOption(pebble: names[Int(pebble)], problem: problem))
  }
}

extension ResourceKey {
  fileprivate var literal: String { name.shortLiteral }

  fileprivate var text: String {
    switch kind {
    case .resource: "the resource \(literal)"
    case .exclusive: "the exclusive key \(literal)"
    }
  }

  fileprivate var clauseForEmptyName: String {
    switch kind {
    case .resource: "uses a resource with an empty name; give it one"
    case .exclusive: "has an empty exclusive key; give it a name"
    }
  }

  /// Returns the total number of units of several uses; `nil` if it overflows. An exclusive key
  /// counts once, even if it is named several times.
  fileprivate func sum(of uses: [ResourceUse]) -> Int? {
    switch kind {
    case .exclusive: 1
    case .resource:
      uses.reduce(0) { sum, use in
        guard let sum else { return nil }
        let (units, isOverflow) = sum.addingReportingOverflow(use.units)
        return isOverflow ? nil : units
      }
    }
  }
}
