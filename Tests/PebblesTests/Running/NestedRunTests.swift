import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of ponds that bodies build and run.
@Suite(.watched) struct NestedRunTests {
  private let outer = Pond("outer")

  @Test func theReportOfARunInsideOfABodyIsKeptWithThePebble() async throws {
    let pages = outer.pebble("pages") {
      let inner = Pond("pages of today")
      let pages = (1...3).map { page in inner.pebble("page \(page)") { page * 10 } }
      let report = try await inner.run()
      return pages.compactMap { report[$0] }.reduce(0, +)
    }
    let other = outer.pebble("other") {}

    let report = try await outer.run()
    let nested = try #require(report.record(of: pages)?.nestedReports)

    #expect(report[pages] == 60)
    #expect(nested.map(\.pondName) == ["pages of today"])
    #expect(nested.first?.records.map(\.name) == ["page 1", "page 2", "page 3"])
    #expect(report.record(of: other)?.nestedReports.isEmpty == true)
  }

  @Test func aRunInsideOfABodyThatFailedIsTornDownWithTheOthers() async throws {
    let closed = Logbook<String>()
    outer.pebble("database", teardown: { closed.note("database") }) {}
    outer.pebble("pages") {
      let inner = Pond("pages of today")
      inner.pebble("cache", teardown: { closed.note("cache") }) {}
      _ = try await inner.run()
      throw Breakdown()
    }

    let run = try outer.start()
    _ = try await run.report
    try await run.shutdown().check()

    #expect(Set(closed.entries) == ["database", "cache"])
    #expect(closed.count == 2)
  }

  @Test func severalReportsAreInTheOrderOfTheirEnds() async throws {
    let pebble = outer.pebble("several") {
      let (slow, quick) = (Pond("slow"), Pond("quick"))
      let gate = Gate()
      slow.pebble("waits") { await gate.passed() }
      quick.pebble("does not") {}
      let run = try slow.start()
      _ = try await quick.run()
      gate.open()
      _ = try await run.report
    }

    let report = try await outer.run()

    #expect(report.record(of: pebble)?.nestedReports.map(\.pondName) == ["quick", "slow"])
  }

  @Test func runsInsideOfRunsAreNestedAsDeeplyAsTheyWere() async throws {
    outer.pebble("one") {
      let middle = Pond("middle")
      middle.pebble("two") {
        let inner = Pond("inner")
        inner.pebble("three") { throw Breakdown() }
        _ = try await inner.run()
      }
      _ = try await middle.run()
    }

    let report = try await outer.run()
    let middle = try #require(report.record(named: "one")?.nestedReports.first)
    let inner = try #require(middle.record(named: "two")?.nestedReports.first)

    #expect(inner.word("three") == "failed")
    #expect(report.isAllSucceeded)
  }

  @Test func runsOfChildTasksAndOfEveryAttemptAreNestedToo() async throws {
    let attempts = Attempts(failing: 1)
    let pebble = outer.pebble("pebble", .retry(.attempts(2))) {
      let inner = Pond("inner")
      inner.pebble("inside") {}
      try await withThrowingTaskGroup { group in
        for _ in 0..<5 { group.addTask { _ = try await inner.run() } }
        try await group.waitForAll()
      }
      _ = try attempts.next()
    }

    let report = try await outer.run()

    #expect(report.record(of: pebble)?.nestedReports.count == 10)
  }

  @Test func aRunThatABodyShutsDownIsNestedAsWell() async throws {
    for _ in 0..<200 {
      let outer = Pond("outer")
      let pebble = outer.pebble("starts") {
        let inner = Pond("inner")
        inner.pebble("inside") { await Task.yield() }
        try await inner.start().shutdown()
      }

      let report = try await outer.run()

      #expect(report.record(of: pebble)?.nestedReports.count == 1)
    }
  }

  @Test func everyPebbleHasItsOwn() async throws {
    let pebbles = (0..<30).map { number in
      outer.pebble("\(number)", number.isMultiple(of: 2) ? .timeout(.seconds(1000)) : .traits()) {
        let inner = Pond("inner \(number)")
        inner.pebble("inside") { await Task.yield() }
        _ = try await inner.run()
      }
    }

    let report = try await outer.run()

    for (number, pebble) in pebbles.enumerated() {
      let nested = report.record(of: pebble)?.nestedReports.map(\.pondName)
      #expect(nested == ["inner \(number)"])
    }
  }

  @Test func aServiceCollectsReportsOnlyWhileItStarts() async throws {
    let inner = Pond("inner")
    inner.pebble("inside") {}
    let again = Gate()
    let server = outer.service("server") { ready in
      _ = try await inner.run()
      ready()
      // Settled by the time of the report.
      await again.passed()
      for _ in 0..<10 { _ = try await inner.run() }
      try await untilCancelled()
    }

    let run = try outer.start()
    let report = try await run.report
    again.open()
    try await run.shutdown().check()

    #expect(report.record(of: server)?.nestedReports.count == 1)
  }

  @Test func cancellingTheOuterRunCancelsTheInner() async throws {
    let started = Gate()
    let pebble = outer.pebble("pebble") {
      let inner = Pond("inner")
      inner.pebble("inside") {
        started.open()
        try await untilCancelled()
      }
      try await inner.run().check()
    }
    let run = try outer.start()
    await started.passed()

    run.cancel()
    let report = try await run.report

    // What a run cancels itself is no failure of it.
    #expect(report.outcome(of: pebble).isSucceeded)
    #expect(report.record(of: pebble)?.nestedReports.first?.cancellation == .requested)
  }

  @Test func aRunStartedElsewhereMayBeAwaitedInside() async throws {
    let unrelated = Pond("unrelated")
    unrelated.pebble("inside") { 1 }
    let run = try unrelated.start()
    let pebble = outer.pebble("pebble") { try await run.report.records.count }

    let report = try await outer.run()

    #expect(report[pebble] == 1)
    #expect(report.record(of: pebble)?.nestedReports.isEmpty == true)
  }

  @Test func theSamePondMayBeRunInManyPlacesAtOnce() async throws {
    let inner = Pond("inner")
    let meeting = Meeting(of: 10)
    inner.pebble("inside") { await meeting.attend() }
    for number in 0..<10 { outer.pebble("\(number)") { _ = try await inner.run() } }

    let report = try await outer.run()

    #expect(report.isAllSucceeded)
    #expect(report.records.allSatisfy { $0.nestedReports.count == 1 })
  }

  @Test func theContextIsThatOfTheInnermostBody() async throws {
    let seen = Logbook<String?>()
    outer.pebble("outside") {
      let inner = Pond("inner")
      inner.pebble("inside") { seen.note(PebbleContext.current?.pebble) }
      seen.note(PebbleContext.current?.pebble)
      _ = try await inner.run()
      seen.note(PebbleContext.current?.pebble)
    }

    _ = try await outer.run()

    #expect(seen.entries == ["outside", "inside", "outside"])
    #expect(PebbleContext.current == nil)
  }
}
