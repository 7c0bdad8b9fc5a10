import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of generated conditions, which can be deeper than any condition written by hand, or share
/// more of their parts.
@Suite(.watched, .serialized) struct DeepConditionTests {
  @Test func aHundredThousandConditionsJoinedOneByOneRunAndGoAway() async throws {
    let pond = Pond("deep")
    let roots = (0..<100).map { pond.pebble("root\($0)") {} }
    let atoms = (0..<100_000).map { roots[$0 % roots.count].succeeded }
    let last = pond.pebble("last", when: atoms.reduce(.always, &&)) {}

    let report = try await pond.run()

    #expect(report.outcome(of: last).isSucceeded)
    #expect(last.ready.description.hasSuffix(" && …"))
  }

  @Test func alternatingNotsAndOrsRunWithTheirMeaning() async throws {
    let pond = Pond("alternating")
    let root = pond.pebble("root") {}
    let never = pond.pebble("never", when: .never) {}
    // !(never.succeeded || !(never.succeeded || … root.succeeded)): every second level negates.
    let levels = Thoroughness.size(100_000)
    let condition = (0..<levels).reduce(root.succeeded) { inner, _ in !(never.succeeded || inner) }
    let last = pond.pebble("last", when: condition) {}
    let opposite = pond.pebble("opposite", when: !condition) {}

    let report = try await pond.run()

    #expect(report.outcome(of: last).isSucceeded)
    #expect(report.outcome(of: opposite).isSkipped)
    #expect(last.ready.description.hasPrefix("!(never.succeeded || !(never.succeeded || "))
    #expect(report.records[3].explanation.count < 1_000)
  }

  @Test func aConditionSharedWithItselfSixtyTimesDoesNotBlowUp() async throws {
    let pond = Pond("shared")
    let root = pond.pebble("root") {}
    let both = (0..<60).reduce(root.succeeded) { condition, _ in condition && condition }
    let either = (0..<60).reduce(root.failed) { condition, _ in condition || condition }
    let runs = pond.pebble("runs", when: both) {}
    let skipped = pond.pebble("skipped", when: either) {}
    let mixed = pond.pebble("mixed", when: !both || either) {}

    let report = try await pond.run()

    #expect(report.outcome(of: runs).isSucceeded)
    #expect(report.outcome(of: skipped).isSkipped)
    #expect(report.outcome(of: mixed).isSkipped)
    #expect(
      report.record(of: skipped)?.explanation
        == "skipped was not needed: it needs root to fail, but root succeeded")
    #expect(report.unhandledFailures.isEmpty)
    #expect(pond.dot().count < 100_000)
    #expect(runs.ready.description.count < 200_000)
  }

  @Test func sharingThatAlternatesBetweenAndAndOrIsExplainedQuickly() async throws {
    let pond = Pond("alternating sharing")
    let root = pond.pebble("root") {}
    let condition = (0..<60).reduce(root.failed) { condition, level in
      level.isMultiple(of: 2) ? condition && condition : condition || condition
    }
    let skipped = pond.pebble("skipped", when: condition) {}

    let report = try await pond.run()

    #expect(
      report.record(of: skipped)?.explanation
        == "skipped was not needed: it needs root to fail, but root succeeded")
  }

  @Test func aFalseConditionOverManyPebblesIsExplainedQuickly() async throws {
    let pond = Pond("wide")
    let roots = (0..<20_000).map { pond.pebble("root\($0)") {} }
    let last = pond.pebble("last", when: .any(roots.map(\.failed))) {}

    let report = try await pond.run()

    let sentence = try #require(report.record(of: last)).explanation
    #expect(sentence.contains("root0 to fail, root1 to fail"))
    #expect(sentence.contains("19996 more"))
  }

  @Test func aDeepConditionThatWasNeverUsedGoesAway() {
    let atom = Pond("unused").pebble("a") {}.succeeded

    var condition = atom
    for level in 0..<200_000 {
      condition = level.isMultiple(of: 2) ? !(condition || atom) : Condition.all([condition, atom])
    }
    let labeled = (0..<100_000).reduce(condition) { inner, _ in inner.labeled("again") }

    #expect(labeled.description.count > 100_000)
  }
}
