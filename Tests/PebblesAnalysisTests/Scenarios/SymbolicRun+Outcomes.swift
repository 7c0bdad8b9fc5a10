import Pebbles
import PebblesTestSupport

@testable import PebblesAnalysis

extension SymbolicRun {
  /// Returns the outcomes of all pebbles in one scenario.
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
      return holds(pebble.stalled) ? .skipped(.stall(waitingOn: [])) : outcome
    }
  }
}

extension ReferenceOutcome {
  /// The outcome without the pebbles that a stalled pebble waited for.
  var withoutWaits: ReferenceOutcome {
    if case .skipped(.stall) = self { .skipped(.stall(waitingOn: [])) } else { self }
  }
}
