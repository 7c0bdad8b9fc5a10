import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct RecordTests {
  private let clock = ManualClock()
  private let pond = Pond("records")

  @Test func recordsComeInDefinitionOrder() async throws {
    let last = pond.pebble("c") {}
    let middle = pond.pebble("a") {}
    let first = pond.pebble("b") {}
    last.ready = middle.succeeded
    middle.ready = first.succeeded

    let records = try await pond.run().records

    #expect(records.map(\.name) == ["c", "a", "b"])
    #expect(records.count == 3)
    #expect(records.first?.name == "c")
    #expect(records.last?.name == "b")
    #expect(records[1].name == "a")
    #expect(records.indices == 0..<3)
  }

  @Test func timesAreOffsetsFromTheStartOfTheRun() async throws {
    clock.advance(by: .seconds(100))
    let first = pond.pebble("first") { [clock] in clock.advance(by: .milliseconds(3)) }
    let second = pond.pebble("second", when: first.succeeded) { [clock] in
      clock.advance(by: .milliseconds(4))
    }
    let skipped = pond.pebble("skipped", when: second.failed) {}

    let report = try await pond.run(clock: clock)
    let records = report.records

    #expect(records[0].ready == .zero)
    #expect(records[0].started == .zero)
    #expect(records[0].finished == .milliseconds(3))
    #expect(records[0].duration == .milliseconds(3))
    #expect(records[0].enabledBy == nil)

    #expect(records[1].ready == .milliseconds(3))
    #expect(records[1].started == .milliseconds(3))
    #expect(records[1].finished == .milliseconds(7))
    #expect(records[1].duration == .milliseconds(4))
    #expect(records[1].enabledBy == "first")

    let record = try #require(report.record(of: skipped))
    #expect(record.ready == nil)
    #expect(record.started == nil)
    #expect(record.duration == nil)
    #expect(record.enabledBy == nil)
    #expect(record.finished == .milliseconds(7))
    #expect(report.makespan == .milliseconds(7))
  }

  @Test func whatWaitsForSeveralIsEnabledByTheLast() async throws {
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) { [clock] in
      clock.advance(by: .seconds(1))
    }
    let both = pond.pebble("both", when: first.succeeded && second.succeeded) {}
    let either = pond.pebble("either", when: first.succeeded || second.succeeded) {}

    let report = try await pond.run(clock: clock)

    #expect(report.record(of: both)?.enabledBy == "second")
    #expect(report.record(of: both)?.ready == .seconds(1))
    #expect(report.record(of: either)?.enabledBy == "first")
    #expect(report.record(of: either)?.ready == .zero)
  }

  @Test func aSkipThatEnablesIsTheCause() async throws {
    let skipped = pond.pebble("skipped", when: .never) {}
    let after = pond.pebble("after", when: skipped.skipped) {}

    let report = try await pond.run(clock: clock)

    #expect(report.record(of: after)?.enabledBy == "skipped")
    #expect(report.record(of: skipped)?.outcome.skipReason == .conditionFalse(decidedBy: nil))
  }

  @Test func aFailedPebbleHasTimesToo() async throws {
    let failing = pond.pebble("failing") { [clock] in
      clock.advance(by: .microseconds(5))
      throw Breakdown()
    }

    let report = try await pond.run(clock: clock)

    #expect(report.record(of: failing)?.duration == .microseconds(5))
  }

  @Test func aRecordShowsTheConditionOfItsRun() async throws {
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    let report = try await pond.run()

    second.ready = first.failed

    #expect(report.record(of: second)?.condition.description == "first.succeeded")
  }

  @Test func aClockThatGoesBackwardsGivesNoNegativeTimes() async throws {
    let first = pond.pebble("first") { [clock] in clock.advance(by: .seconds(-10)) }

    let report = try await pond.run(clock: clock)

    #expect(report.record(of: first)?.finished == .zero)
    #expect(report.makespan == .zero)
  }
}

@Suite(.watched) struct ReportLookupTests {
  private let pond = Pond("lookups")

  @Test func aPebbleOfAnotherPondIsNotInTheRun() async throws {
    let own = pond.pebble("own") { 1 }
    let other = Pond("other").pebble("own") { 2 }

    let report = try await pond.run()

    #expect(report[own] == 1)
    #expect(report[other] == nil)
    #expect(report.outcome(of: other).skipReason == .notInRun)
    #expect(report.record(of: other) == nil)
  }

  @Test func aPebbleAddedAfterTheRunIsNotInIt() async throws {
    let report = try await pond.run()
    let late = pond.pebble("late") { 1 }

    #expect(report[late] == nil)
    #expect(report.outcome(of: late).skipReason == .notInRun)
    #expect(report.record(named: "late") == nil)
  }

  @Test func aRecordIsFoundByName() async throws {
    pond.pebble("first") {}
    pond.pebble("second") {}

    let report = try await pond.run()

    #expect(report.record(named: "second")?.name == "second")
    #expect(report.record(named: "third") == nil)
  }

  @Test func handlesOfOnePebbleAreEqualAndDescribeThemselvesByName() {
    let first = pond.pebble("first") {}
    let second = pond.pebble("second") {}
    let copy = first

    #expect(first == copy)
    #expect(first != second)
    #expect(Set([first, second, copy]).count == 2)
    #expect("\(first)" == "first")
  }

  @Test func isCancelledIsFalseForAnOrdinaryRun() async throws {
    pond.pebble("only") {}

    let report = try await pond.run()

    #expect(!report.isCancelled)
  }
}
