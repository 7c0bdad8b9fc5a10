import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of runs that are limited to some pebbles. The pebbles that take part must end in the same
/// way as in a run of all pebbles.
@Suite(.watched) struct SubsetAgainstWholeTests {
  @Test(arguments: 0..<8) func randomPondsEndAsInTheWholeRun(shard: Int) {
    var generator = SeededGenerator(seed: 27_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(100) {
      let pond = ReferencePond.random(
        mostPebbles: 10, withCases: shard > 3, using: &generator)
      let compiled = pond.compiled(smallestShared: shard.isMultiple(of: 2) ? 1 : 16)
      let targets = compiled.graph.names.indices.filter { _ in
        Int.random(in: 0..<4, using: &generator) == 0
      }

      let subset = compiled.subset(for: targets)

      var whole = EngineRun(pond, compiled: compiled)
      whole.run { $0.randomElement(using: &generator) ?? $0[0] }
      var part = EngineRun(pond, compiled: compiled, of: subset)
      part.run { $0.randomElement(using: &generator) ?? $0[0] }
      for pebble in compiled.graph.names.indices {
        let isIn = subset.contains(pebble)
        let (expected, seen) = (
          isIn ? whole.storage.state.status(of: pebble) : .skippedAsNotAskedFor,
          part.storage.state.status(of: pebble)
        )
        guard isIn == Self.needed(by: targets, compiled).contains(pebble), seen == expected,
          part.held[pebble] == (isIn ? whole.held[pebble] : [])
        else {
          Issue.record("of \(targets): p\(pebble) is \(seen) and should be \(expected):\n\(pond)")
          return
        }
      }
    }
  }

  /// Returns the pebbles that the targets need, determined from the original conditions and not
  /// from the network.
  private static func needed(by targets: [Int], _ pond: PondLogic) -> Set<Int> {
    var needed: Set<Int> = []
    var pending = targets
    while let pebble = pending.popLast() {
      if needed.insert(pebble).inserted { pending += pond.graph.pebblesMentioned(by: pebble) }
    }
    return needed
  }
}
