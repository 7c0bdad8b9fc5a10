import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite struct StronglyConnectedComponentsTests {
  /// Tests this graph, in which 4 leads to itself and 5 leads to nothing:
  ///
  /// ```
  /// 0 ──▶ 1 ◀──▶ 2 ──▶ 3      4      5
  /// ```
  @Test func componentsComeAfterAllTheyLeadTo() {
    let found = components(of: [[1], [2], [1, 3], [], [4], []])

    #expect(found == [[3], [2, 1], [0], [4], [5]])
  }

  @Test func theSearchBeginsWhereItIsTold() {
    var components = StronglyConnectedComponents(nodeCount: 3)
    components.search(from: [2, 0])

    var found: [[Int]] = []
    while let component = components.next(along: { _, _ in nil }) {
      found.append(Array(components.members[component]))
    }

    #expect(found == [[2], [0]])
  }

  /// Tests this cycle, from which the edge from 2 to 0 is removed:
  ///
  /// ```
  /// 0 ──▶ 1 ──▶ 2 ──▶ 0
  /// ```
  @Test func aComponentThatHasFallenApartIsSearchedAgain() {
    var targets = [[1], [2], [0]]
    var components = StronglyConnectedComponents(nodeCount: 3)
    components.search(from: [0])
    let whole = components.next { targets[$0].count > $1 ? targets[$0][$1] : nil }
    #expect(whole.map { components.members[$0].sorted() } == [0, 1, 2])

    targets[2] = []
    components.searchAgain([0, 1, 2])

    var found: [[Int]] = []
    while let component = components.next(along: {
      targets[$0].count > $1 ? targets[$0][$1] : nil
    }) {
      found.append(Array(components.members[component]))
    }
    #expect(found == [[2], [1], [0]])
    #expect(components.visitCount == 6)
    #expect(components.component(of: 0) != components.component(of: 1))
  }

  @Test func randomGraphsFallIntoTheSameComponentsAsByReachability() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let count = Int.random(in: 1...12, using: &generator)
      let targets = (0..<count).map { _ in
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          Int.random(in: 0..<count, using: &generator)
        }
      }
      let reached = (0..<count).map { reachable(from: $0, targets) }

      let found = components(of: targets)

      #expect(found.joined().sorted() == Array(0..<count))
      var known: Set<Int> = []
      for component in found {
        known.formUnion(component)
        for node in component {
          let isMutual = { reached[node].contains($0) && reached[$0].contains(node) }
          #expect(component.sorted() == (0..<count).filter { $0 == node || isMutual($0) })
          #expect(reached[node].isSubset(of: known))
        }
      }
    }
  }

  @Test func aLongChainTakesNoStack() {
    let count = Thoroughness.times(100_000)
    var components = StronglyConnectedComponents(nodeCount: count)
    components.search(from: CollectionOfOne(0))

    var number = 0
    while components.next(along: { $1 == 0 && $0 + 1 < count ? $0 + 1 : nil }) != nil {
      number += 1
    }

    #expect(number == count)
    #expect(components.members.first == count - 1)
  }

  private func components(of targets: [[Int]]) -> [[Int]] {
    var components = StronglyConnectedComponents(nodeCount: targets.count)
    components.search(from: targets.indices)
    var found: [[Int]] = []
    while let component = components.next(along: {
      targets[$0].count > $1 ? targets[$0][$1] : nil
    }) {
      found.append(Array(components.members[component]))
    }
    return found
  }

  private func reachable(from node: Int, _ targets: [[Int]]) -> Set<Int> {
    var reached: Set<Int> = []
    var pending = targets[node]
    while let next = pending.popLast() {
      if reached.insert(next).inserted { pending += targets[next] }
    }
    return reached
  }
}
