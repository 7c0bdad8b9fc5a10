import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of the guarantee that the outcomes of bodies alone determine which pebbles run. They try
/// all schedules of small ponds.
@Suite(.watched) struct SmallPondTests {
  /// Checks all schedules of 3,065 ponds. With every combination of outcomes, these are 6,258
  /// cases, which have 26,798 schedules. A plain run of the tests checks every tenth pond.
  @Test func everyScheduleOfEverySmallPondLeadsToTheSameEnd() async throws {
    var (ponds, cases, schedules) = (0, 0, 0)

    for small in Thoroughness.some(of: (1...4).flatMap(SmallPond.all)) {
      ponds += 1
      for failing in try await small.waysToEnd() {
        cases += 1
        let exploration = try await explore(
          small.pond(failing: failing), schedules: .exhaustive(limit: .max))
        #expect(exploration.isComplete && exploration.isDeterministic)
        schedules += exploration.schedules
      }
    }

    #expect(ponds == (Thoroughness.isFull ? 3_065 : 307))
    #expect(cases == (Thoroughness.isFull ? 6_258 : 652))
    // How many there are is up to the runtime; that there are many is not.
    #expect(schedules > 3 * cases)
  }
}

extension SmallPond {
  /// Returns the sets of bodies that can fail together in a run. A body that does not run is in
  /// none of the sets.
  fileprivate func waysToEnd() async throws -> [Set<Int>] {
    var ways: [Set<Int>] = []
    var pending: [(failing: Set<Int>, decided: Set<Int>)] = [([], [])]
    while let (failing, decided) = pending.popLast() {
      let report = try await pond(failing: []).simulate(failing: failing.map { .named("\($0)") })
      let undecided = report.records.indices.first {
        !decided.contains($0) && report.records[$0].outcome.isCompleted
      }
      guard let undecided else {
        ways.append(failing)
        continue
      }
      pending.append((failing, decided.union([undecided])))
      pending.append((failing.union([undecided]), decided.union([undecided])))
    }
    return ways
  }
}
