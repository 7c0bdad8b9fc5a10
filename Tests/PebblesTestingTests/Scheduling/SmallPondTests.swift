import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of the guarantee that the set of pebbles that run depends only on how bodies end.
@Suite(.watched) struct SmallPondTests {
  /// Checks all schedules of small ponds. There are 3,065 ponds, with 6,258 ways in which their
  /// bodies can end, and 26,798 schedules. A plain run of the tests checks every tenth pond.
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
  /// Returns the sets of bodies that may fail in one run. A set contains no bodies that would not
  /// run in it.
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
