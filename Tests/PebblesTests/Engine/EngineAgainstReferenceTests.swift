import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite(.watched) struct EngineAgainstReferenceTests {
  static let shards = Array(0..<8)

  /// Checks that the engine agrees with the reference if bodies end in the same order, and that the
  /// outcomes are the same for every order. Each random pond runs with three orders.
  @Test(arguments: shards)
  func randomPondsAgreeUnderEveryOrder(shard: Int) {
    var generator = SeededGenerator(seed: 1_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(150) {
      let pond = ReferencePond.random(
        mostPebbles: 12, withCases: shard >= 4, using: &generator)
      let compiled = pond.compiled(smallestShared: shard.isMultiple(of: 2) ? 1 : 16)
      var first: [ReferenceOutcome?]?

      for _ in 0..<3 {
        let seed = generator.next()
        let (engine, reference) = Self.run(pond, compiled, seed: seed)

        guard engine.outcomes == reference.outcomes, engine.outcomes == first ?? engine.outcomes,
          engine.started.sorted() == reference.started.sorted(), engine.held == reference.held
        else {
          Issue.record("\(pond)\n\(engine.outcomes)\n\(reference.outcomes)")
          return
        }
        first = engine.outcomes
      }
    }
  }

  @Test(arguments: shards)
  func realRunsOfRandomPondsAgree(shard: Int) async throws {
    var generator = SeededGenerator(seed: 3_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(50) {
      let pond = ReferencePond.random(
        mostPebbles: 12, withCases: shard >= 4, using: &generator)
      var reference = ReferenceRun(pond)
      reference.run { $0[0] }

      let succeeds = pond.succeeds
      let report = try await pond.makePond { index in
        if index.isMultiple(of: 2) { await Task.yield() }
        if !succeeds[index] { throw Breakdown() }
      }.run()

      for (record, expected) in zip(report.records, reference.outcomes) {
        #expect(record.outcome.matches(expected), "\(record.name) of\n\(pond)")
        #expect(!record.explanation.isEmpty)
        if let decider = record.outcome.skipReason?.decidedBy {
          let storage = report.storage
          let named = DecidingClause(
            of: record.position, DecisionHistory(storage.state, storage.pond.operands))
          #expect(
            named.literals.contains { "p\($0.pebble)" == decider }, "\(record.name) of\n\(pond)")
        }
        #expect(Set(record.cases) == reference.held[record.position], "\(record.name) of\n\(pond)")
      }
    }
  }

  private static func run(
    _ pond: ReferencePond, _ compiled: PondLogic, seed: UInt64
  ) -> (EngineRun, ReferenceRun) {
    var engine = EngineRun(pond, compiled: compiled)
    var choices = SeededGenerator(seed: seed)
    engine.run { $0[Int(choices.next() % UInt64($0.count))] }

    var reference = ReferenceRun(pond)
    var sameChoices = SeededGenerator(seed: seed)
    reference.run { $0[Int(sameChoices.next() % UInt64($0.count))] }
    return (engine, reference)
  }
}

extension Outcome {
  fileprivate func matches(_ expected: ReferenceOutcome?) -> Bool {
    switch (self, expected) {
    case (.succeeded, .succeeded), (.failed, .failed): true
    case (.skipped(let reason), .skipped(.condition)): reason.isConditionFalse
    case (.skipped(let reason), .skipped(.stall(let waits))):
      reason.isStalled && Set(reason.waitingOn) == Set(waits.map { "p\($0)" })
    default: false
    }
  }
}
