import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Runs in all scenarios at once, against the reference run in each of them.
@Suite struct SymbolicRunTests {
  @Test(arguments: 0..<5)
  func outcomesOfRandomPondsAreThoseOfTheReference(shard: Int) throws {
    var generator = SeededGenerator(seed: 5_000 + UInt64(shard))
    for _ in 0..<1_000 {
      let pond = ReferencePond.random(mostPebbles: 10, withPredicates: false, using: &generator)
      let model = try pond.definedPond(smallestShared: shard < 2 ? 1 : nil).model()
      let run = SymbolicRun(model, limit: 100_000)
      for ending in AllEndings(pond).endings {
        let outcomes = run.outcomes { variable in
          guard case .body(let pebble) = variable else { return true }
          return ending.failed >> pebble & 1 == 0
        }
        guard outcomes == ending.outcomes.map(\.withoutWaits) else {
          Issue.record("\(pond)\n\(outcomes)\n\(ending)")
          return
        }
      }
    }
  }
}

extension SymbolicRun {
  /// What the run is in one scenario.
  func outcomes(where isTrue: (ScenarioVariable) -> Bool) -> [ReferenceOutcome?] {
    func holds(_ function: BooleanFunction) -> Bool {
      diagram.value(of: function) { isTrue(variables[$0.number]) }
    }
    return pebbles.map { pebble in
      guard let pebble else { return nil }
      let outcomes: [(BooleanFunction, ReferenceOutcome)] = [
        (pebble.succeeded, .succeeded), (pebble.failed, .failed),
        (pebble.skipped, .skipped(.condition)),
      ]
      let found = outcomes.filter { holds($0.0) }
      guard found.count == 1, let outcome = found.first?.1 else { return nil }
      guard case .skipped = outcome else { return outcome }
      if holds(pebble.stalled) { return .skipped(.stall(waitingOn: [])) }
      return holds(pebble.predicateNeverHeld) ? .skipped(.predicate) : outcome
    }
  }
}

extension ReferenceOutcome {
  /// The outcome, without saying whom a stalled pebble waited for.
  var withoutWaits: ReferenceOutcome {
    if case .skipped(.stall) = self { .skipped(.stall(waitingOn: [])) } else { self }
  }
}
