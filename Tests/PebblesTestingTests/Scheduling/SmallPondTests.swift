import PebblesTesting
import Testing

/// The design's promise that which pebbles run depends on how bodies end only, by trying it.
@Suite struct SmallPondTests {
  @Test(.timeLimit(.minutes(2)))
  func everyScheduleOfEverySmallPondLeadsToTheSameEnd() async throws {
    var ponds = 0
    var runs = 0
    var schedules = 0
    for count in 1...4 {
      for small in SmallPond.all(of: count) {
        ponds += 1
        // The bodies that run may fail; those that do not need not be tried with both ends.
        var pending: [(failing: Set<Int>, decided: Set<Int>)] = [([], [])]
        while let (failing, decided) = pending.popLast() {
          let pond = small.pond(failing: failing)
          let report = try await pond.simulate(failing: failing.map { "\($0)" })
          let undecided = report.records.indices.first {
            !decided.contains($0) && report.records[$0].outcome.isCompleted
          }
          if let undecided {
            pending.append((failing, decided.union([undecided])))
            pending.append((failing.union([undecided]), decided.union([undecided])))
            continue
          }
          let exploration = try await explore(pond, schedules: .exhaustive(limit: 100_000))
          runs += 1
          schedules += exploration.schedules
        }
      }
    }
  }
}
