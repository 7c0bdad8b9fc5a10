import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests that simulations of random ponds have the same outcomes as a slow but obviously correct
/// reference, regardless of the inputs of bodies.
@Suite(.watched) struct SimulateAgainstReferenceTests {
  @Test func simulationsEndAsTheReferenceDoes() async throws {
    var generator = SeededGenerator(seed: 8_000)
    for _ in 0..<Thoroughness.times(50) {
      let reference = ReferencePond.random(
        mostPebbles: 12, using: &generator)
      var run = ReferenceRun(reference)
      run.run { $0[0] }
      let pond = reference.definedPond()
      let failing = reference.succeeds.indices.filter { !reference.succeeds[$0] }
      let last = PebbleID.named("p\(reference.succeeds.count - 1)")
      let time = Duration.seconds(Int.random(in: 0...3, using: &generator))

      let report = try await pond.simulate(
        failing: failing.map { .named("p\($0)") }, taking: [.named("p0"): time, last: .seconds(2)])

      let same = zip(report.records, run.outcomes).allSatisfy { record, outcome in
        switch (record.outcome, outcome) {
        case (.succeeded, .succeeded), (.failed, .failed), (.skipped, .skipped): true
        default: false
        }
      }
      guard !same else { continue }
      Issue.record("\(report) instead of \(run.outcomes):\n\(reference)")
      return
    }
  }

  @Test func randomPondsEndAlikeInAllSchedules() async throws {
    var generator = SeededGenerator(seed: 8_100)
    for seed in 0..<60 {
      let reference = ReferencePond.random(
        mostPebbles: 10, withCases: seed.isMultiple(of: 2), using: &generator)
      let seeded = UInt64(seed)

      try await explore(reference.definedPond(), schedules: .random(count: 5, seed: seeded))
      try await explore(reference.definedPond(), schedules: .pct(count: 5, seed: seeded))
    }
  }
}
