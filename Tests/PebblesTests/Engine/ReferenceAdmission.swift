@testable import Pebbles
import PebblesTestSupport

/// A literal implementation of the admission rule, which is slow but obviously correct.
struct ReferenceAdmission {
  let ranks: [UInt32]
  let capacities: [Int]
  /// The units that each pebble uses, indexed by pebble and keyed by resource.
  let uses: [[Int: Int]]
  let maxConcurrent: Int?
  let groups: [ResourceTable.Group]

  private(set) var waiting: Set<UInt32> = []
  private(set) var admitted: Set<UInt32> = []

  init(
    ranks: [UInt32], capacities: [Int], uses: [[Int: Int]], maxConcurrent: Int?,
    groups: [ResourceTable.Group]
  ) {
    self.groups = groups
    self.ranks = ranks
    self.capacities = capacities
    self.uses = uses
    self.maxConcurrent = maxConcurrent
  }

  mutating func add(_ pebble: UInt32) {
    waiting.insert(pebble)
  }

  mutating func release(_ pebble: UInt32) {
    admitted.remove(pebble)
  }

  mutating func withdraw(_ pebbles: [UInt32]) -> [UInt32] {
    let withdrawn = pebbles.filter(waiting.contains)
    waiting.subtract(withdrawn)
    return withdrawn
  }

  /// Removes the waiting pebbles that cannot be admitted while the given pebble keeps its units,
  /// and returns them in order of rank.
  mutating func removeBlocked(by holder: UInt32) -> [UInt32] {
    let held = uses[Int(holder)]
    let blocked = waiting.filter { pebble in
      uses[Int(pebble)].contains { resource, units in
        units > capacities[resource] - (held[resource] ?? 0)
      }
    }
    waiting.subtract(blocked)
    return blocked.sorted { ranks[Int($0)] < ranks[Int($1)] }
  }

  mutating func take() -> UInt32? {
    guard let best else { return nil }
    waiting.remove(best)
    admitted.insert(best)
    return best
  }

  /// The pebble with the best rank among those that can be admitted.
  var best: UInt32? {
    guard admitted.count < maxConcurrent ?? .max else { return nil }
    return waiting.filter(isAdmissible).min { ranks[Int($0)] < ranks[Int($1)] }
  }

  private func isAdmissible(_ pebble: UInt32) -> Bool {
    hasPlace(pebble)
      && uses[Int(pebble)].allSatisfy { resource, units in
        unitsHeld(of: resource) + units <= capacities[resource]
          && !waiting.contains { other in
            ranks[Int(other)] < ranks[Int(pebble)] && uses[Int(other)][resource] != nil
          }
      }
  }

  private func hasPlace(_ pebble: UInt32) -> Bool {
    groups.allSatisfy { group in
      !group.pebbles.contains(Int(pebble)) || runningCount(in: group) < group.maxConcurrent
    }
  }

  func runningCount(in group: ResourceTable.Group) -> Int {
    admitted.count { group.pebbles.contains(Int($0)) }
  }

  func unitsHeld(of resource: Int) -> Int {
    admitted.reduce(0) { $0 + (uses[Int($1)][resource] ?? 0) }
  }
}

extension ReferenceAdmission {
  /// Returns a random queue of few pebbles that use few resources, so that they often wait for each
  /// other.
  static func random(using generator: inout SeededGenerator) -> ReferenceAdmission {
    let count = Int.random(in: 1...12, using: &generator)
    let capacities = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
      Int.random(in: 1...4, using: &generator)
    }
    let uses = (0..<count).map { _ in
      capacities.indices.reduce(into: [Int: Int]()) { uses, resource in
        guard Int.random(in: 0..<5, using: &generator) < 2 else { return }
        uses[resource] = Int.random(in: 1...capacities[resource], using: &generator)
      }
    }
    return ReferenceAdmission(
      ranks: Array(0..<UInt32(count)).shuffled(using: &generator), capacities: capacities,
      uses: uses,
      maxConcurrent: Bool.random(using: &generator)
        ? nil : Int.random(in: 1...4, using: &generator),
      groups: groups(in: 0..<count, depth: 3, using: &generator))
  }

  /// Returns random groups, which may be adjacent, nested or empty.
  private static func groups(
    in pebbles: Range<Int>, depth: Int, using generator: inout SeededGenerator
  ) -> [ResourceTable.Group] {
    guard depth > 0 else { return [] }
    var groups: [ResourceTable.Group] = []
    var start = pebbles.lowerBound
    while Int.random(in: 0..<5, using: &generator) < 3 {
      let bounds = (0..<2).map { _ in
        Int.random(in: start...pebbles.upperBound, using: &generator)
      }.sorted()
      let inside = bounds[0]..<bounds[1]
      groups.append(
        ResourceTable.Group(
          pebbles: inside, maxConcurrent: Int.random(in: 1...3, using: &generator)))
      groups += Self.groups(in: inside, depth: depth - 1, using: &generator)
      start = bounds[1]
    }
    return groups
  }

  /// Returns a real queue with the same limits.
  func makeQueue() -> AdmissionQueue {
    let uses = uses.map { uses in
      uses.sorted { $0.key < $1.key }.map { ResourceTable.Use(resource: $0.key, units: $0.value) }
    }
    let table = ResourceTable(
      capacities: capacities, uses: uses, maxConcurrent: maxConcurrent, groups: groups)
    return AdmissionQueue(ranks: ranks, table)
  }
}
