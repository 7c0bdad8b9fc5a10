import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the readers of a pebble and of its cases. The readers found by walking up from the
/// pebble are compared with those found by walking down from every reader.
@Suite(.watched) struct ReadersTests {
  @Test(arguments: 0..<8)
  func readersAreThoseWhoseConditionsLeadToThePebble(shard: Int) {
    var generator = SeededGenerator(seed: 9_100 + UInt64(shard))
    for _ in 0..<Thoroughness.times(25) {
      let pond = ReferencePond.random(mostPebbles: 8, withCases: true, using: &generator)
      let logic = pond.compiled(smallestShared: shard < 4 ? 1 : 16)
      let network = logic.network
      // Every second time, conditions are taken to be without some of their operands.
      let leftOut = Set(
        (0..<network.rowCount).filter { _ in
          !shard.isMultiple(of: 2) && Int.random(in: 0..<8, using: &generator) == 0
        })

      for pebble in 0..<network.pebbleCount {
        let readers = network.readers(of: pebble) { row, _ in leftOut.contains(row) }
        let found = Dictionary(uniqueKeysWithValues: readers.map { ($0.pebble, $0.cases) })

        let expected = Self.readers(of: pebble, logic, without: leftOut)
        guard found != expected else { continue }
        Issue.record("p\(pebble) is read by \(found), not \(expected), of\n\(pond)")
        return
      }
    }
  }

  /// Checks a condition in which each level occurs twice in the next. A search that followed every
  /// path upwards would practically never end.
  @Test func readersOfAConditionSharedSixtyTimesAreFoundAtOnce() {
    let pond = Pond("ladder")
    let root = pond.pebble("root") {}
    let (left, right) = (pond.pebble("left") {}, pond.pebble("right") {})
    let condition = (0..<60).reduce(root.succeeded) { condition, _ in
      (condition && left.succeeded) || (condition && right.succeeded)
    }
    pond.pebble("top", when: condition) {}

    let readers = pond.program().pond.network.readers(of: 0)

    #expect(readers.map(\.pebble) == [3])
    #expect(readers[0].rejects(.failed))
  }

  /// Returns the atoms of each reader on cases of a pebble, keyed by reader.
  private static func readers(
    of pebble: Int, _ logic: PondLogic, without leftOut: Set<Int>
  ) -> [Int: Set<ReadinessNetwork.CaseAtom>] {
    let network = logic.network
    var readers: [Int: Set<ReadinessNetwork.CaseAtom>] = [:]
    for reader in 0..<network.pebbleCount {
      var pending = [reader]
      var known: Set<Int> = []
      while let gate = pending.popLast() {
        for operand in logic.operands[gate] where !leftOut.contains(Int(operand.source)) {
          let row = Int(operand.source)
          guard network.kind(ofRow: row) != .gate else {
            if known.insert(row).inserted { pending.append(row) }
            continue
          }
          guard network.pebble(readAt: row) == pebble else { continue }
          readers[reader, default: []].formUnion([])
          guard network.kind(ofRow: row) == .pebbleCase else { continue }
          readers[reader]?.insert(
            ReadinessNetwork.CaseAtom(
              row: row, outcomes: network.cases[row].name.outcomes,
              isNegated: operand.outcomes.contains(.failed)))
        }
      }
    }
    return readers
  }
}
