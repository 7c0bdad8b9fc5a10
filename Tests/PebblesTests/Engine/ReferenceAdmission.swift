@testable import Pebbles
import PebblesTestSupport

/// The rule of admission, word for word: slow, and obviously right.
struct ReferenceAdmission {
  let ranks: [UInt32]
  let capacities: [Int]
  /// For each pebble the units it uses, by resource.
  let uses: [[Int: Int]]
  let maxConcurrent: Int?

  private(set) var waiting: Set<UInt32> = []
  private(set) var admitted: Set<UInt32> = []

  init(ranks: [UInt32], capacities: [Int], uses: [[Int: Int]], maxConcurrent: Int?) {
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

  mutating func take() -> UInt32? {
    guard let best else { return nil }
    waiting.remove(best)
    admitted.insert(best)
    return best
  }

  /// The best of the admissible.
  var best: UInt32? {
    guard admitted.count < maxConcurrent ?? .max else { return nil }
    return waiting.filter(isAdmissible).min { ranks[Int($0)] < ranks[Int($1)] }
  }

  private func isAdmissible(_ pebble: UInt32) -> Bool {
    uses[Int(pebble)].allSatisfy { resource, units in
      unitsHeld(of: resource) + units <= capacities[resource]
        && !waiting.contains { other in
          ranks[Int(other)] < ranks[Int(pebble)] && uses[Int(other)][resource] != nil
        }
    }
  }

  func unitsHeld(of resource: Int) -> Int {
    admitted.reduce(0) { $0 + (uses[Int($1)][resource] ?? 0) }
  }
}

extension ReferenceAdmission {
  /// Few pebbles that use few resources: everything gets into the way of everything else.
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
        ? nil : Int.random(in: 1...4, using: &generator))
  }

  /// The real thing, under the same limits.
  func makeQueue() -> AdmissionQueue {
    let uses = uses.map { uses in
      uses.sorted { $0.key < $1.key }.map { ResourceTable.Use(resource: $0.key, units: $0.value) }
    }
    let table = ResourceTable(
      capacities: capacities, uses: uses, maxConcurrent: maxConcurrent)
    return AdmissionQueue(ranks: ranks, table)
  }
}
