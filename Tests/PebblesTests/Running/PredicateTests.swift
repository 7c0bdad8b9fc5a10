import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.timeLimit(.minutes(15))) struct PredicateTests {
  private let pond = Pond("predicates")

  @Test func aPredicateThatHoldsAtTheStartStartsItsPebble() async throws {
    let gate = Gate()
    let slow = pond.pebble("slow") { await gate.passed() }
    // Opens the gate, so the run ends only if nothing waits for `slow`.
    let early = pond.pebble("early", when: .predicate(reading: slow) { !$0.settled }) {
      gate.open()
    }

    let report = try await pond.run()

    #expect(report.outcome(of: early).isSucceeded)
    #expect(report.record(of: early)?.ready == .zero)
    #expect(report.record(of: early)?.enabledBy == nil)
  }

  @Test func aPredicateIsAskedAgainWhenWhatItReadsSettles() async throws {
    let number = pond.pebble("number") { 41 }
    let isLarge = Condition.predicate(reading: number) { ($0.output ?? 0) > 40 }
    let large = pond.pebble("large", when: isLarge) {}

    let report = try await pond.run()

    #expect(report.outcome(of: large).isSucceeded)
    #expect(report.record(of: large)?.enabledBy == "number")
  }

  @Test func aPredicateThatNeverHoldsSkipsItsPebbleWithThatReason() async throws {
    let number = pond.pebble("number") { 3 }
    let isLarge = Condition.predicate(reading: number) { ($0.output ?? 0) > 40 }
    let large = pond.pebble("large", when: isLarge) {}
    let after = pond.pebble("after", when: large.skipped) {}

    let report = try await pond.run()

    #expect(report.outcome(of: large).skipReason == .predicateNeverHeld)
    #expect(report.outcome(of: after).isSucceeded)
    #expect(report.record(of: large)?.explanation.contains("predicate") == true)
  }

  @Test func aPredicateSeesEveryKindOfOutcome() async throws {
    let good = pond.pebble("good") { "output" }
    let bad = pond.pebble("bad") { () async throws -> Int in throw Breakdown("no disk") }
    let skipped = pond.pebble("skipped", when: .never) { 1.5 }

    let all = Condition.predicate(reading: good, bad, skipped) { good, bad, skipped in
      good.succeeded && good.completed && good.settled && !good.failed && good.output == "output"
        && bad.failed && bad.completed && bad.output == nil
        && bad.outcome?.error as? Breakdown == Breakdown("no disk")
        && skipped.skipped && skipped.settled && !skipped.completed && skipped.output == nil
    }
    let reader = pond.pebble("reader", when: all) {}
    let report = try await pond.run()

    #expect(report.outcome(of: reader).isSucceeded)
  }

  @Test func aNegatedPredicateStartsItsPebbleOnlyInTheEnd() async throws {
    let number = pond.pebble("number") { 3 }
    let isLarge = Condition.predicate(reading: number) { ($0.output ?? 0) > 40 }
    let small = pond.pebble("small", when: !isLarge) {}
    let isSmall = Condition.predicate(reading: number) { ($0.output ?? 100) < 40 }
    let large = pond.pebble("large", when: !isSmall) {}

    let report = try await pond.run()

    #expect(report.outcome(of: small).isSucceeded)
    #expect(report.outcome(of: large).skipReason == .conditionFalse(decidedBy: "number"))
  }

  @Test func whatANegatedPredicateLetsStartBecameReadyInTheEnd() async throws {
    let clock = ManualClock()
    let number = pond.pebble("number") { clock.advance(by: .milliseconds(5)) }
    let never = Condition.predicate(reading: number) { _ in false }
    let small = pond.pebble("small", when: !never) {}

    let record = try #require(try await pond.run(clock: clock).record(of: small))

    #expect(record.started == .milliseconds(5))
    #expect(record.ready == .milliseconds(5))
  }

  @Test func aPredicateJoinsWithOtherConditions() async throws {
    let number = pond.pebble("number") { 3 }
    let failing = pond.pebble("failing") { throw Breakdown() }
    let isSmall = Condition.predicate(reading: number) { ($0.output ?? 100) < 40 }

    let both = pond.pebble("both", when: isSmall && failing.failed) {}
    let either = pond.pebble("either", when: !isSmall || failing.failed) {}
    let neither = pond.pebble("neither", when: isSmall && failing.succeeded) {}
    let report = try await pond.run()

    #expect(report.outcome(of: both).isSucceeded)
    #expect(report.outcome(of: either).isSucceeded)
    #expect(report.outcome(of: neither).skipReason == .conditionFalse(decidedBy: "failing"))
  }

  @Test func onceTrueAPredicateStaysTrueForThatRun() async throws {
    let pond = Pond("sticky")
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    let unsettled = Condition.predicate(reading: second) { !$0.settled }

    let late = pond.pebble("late", when: unsettled && second.succeeded) {}
    let report = try await pond.run()

    #expect(report.outcome(of: late).isSucceeded)
  }

  @Test func aPredicateIsNeverCalledConcurrentlyWithItself() async throws {
    let meeting = Meeting(of: 40)
    let inside = Journal<Int>()
    let readers = (0..<40).map { pond.pebble("p\($0)") { await meeting.attend() } }
    let overlaps = Journal<Int>()
    let counts = Condition.predicate(
      reading: readers[0], readers[1], readers[2], readers[3], readers[4]
    ) { first, second, third, fourth, fifth in
      if !inside.count.isMultiple(of: 2) { overlaps.note(1) }
      inside.note(1)
      defer { inside.note(-1) }
      return [first, second, third, fourth, fifth].allSatisfy(\.settled)
    }
    let last = pond.pebble("last", when: counts) {}

    let report = try await pond.run()

    #expect(report.outcome(of: last).isSucceeded)
    #expect(overlaps.entries.isEmpty)
    #expect(inside.entries.reduce(0, +) == 0)
  }

  @Test func twoRunsAskAPredicateSeparately() async throws {
    let journal = Journal<Int>()
    let number = pond.pebble("number") { () async -> Int in
      journal.note(1)
      return journal.count
    }
    let isFirst = Condition.predicate(reading: number) { $0.output == 1 }
    let first = pond.pebble("first", when: isFirst) {}

    let reports = [try await pond.run(), try await pond.run()]

    #expect(reports.map { $0.outcome(of: first).isSucceeded } == [true, false])
  }

  @Test func aPredicateThatReadsNothingIsAskedAtTheStart() async throws {
    let open = pond.pebble("open", when: .predicate { true }) {}
    let closed = pond.pebble("closed", when: .predicate { false }) {}

    let report = try await pond.run()

    #expect(report.outcome(of: open).isSucceeded)
    #expect(report.outcome(of: closed).skipReason == .predicateNeverHeld)
  }
}
