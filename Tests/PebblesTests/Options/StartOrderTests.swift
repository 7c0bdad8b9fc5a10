import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the order in which pebbles start if not all can start at once: by priority, then by the
/// longest remaining path, then in definition order.
@Suite(.watched) struct StartOrderTests {
  private let journal = Logbook<String>()
  private let clock = ManualClock()

  @Test func readyPebblesGoInDefinitionOrder() async throws {
    let pond = Pond("order", maxConcurrent: 1)
    for number in 0..<20 { add("\(number)", to: pond) }

    _ = try await pond.run()

    #expect(journal.entries == (0..<20).map { "\($0)" })
  }

  @Test func thoseOfHigherPriorityGoFirst() async throws {
    let pond = Pond("order", maxConcurrent: 1)
    for (name, priority) in [
      ("low", -1), ("none", 0), ("high", 10), ("least", .min), ("most", .max), ("equal", 10),
    ] {
      add(name, to: pond, priority: priority)
    }

    _ = try await pond.run()

    #expect(journal.entries == ["most", "high", "equal", "none", "low", "least"])
  }

  @Test func aBetterPebbleThatBecomesReadyGoesBeforeThoseThatWait() async throws {
    for _ in 0..<50 {
      let journal = Logbook<String>()
      let pond = Pond("order")
      let first = pond.pebble("first", .exclusive("key"), .priority(2)) { await Task.yield() }
      for number in 0..<4 {
        pond.pebble("waiting \(number)", .exclusive("key")) { journal.note("waiting") }
      }
      pond.pebble("urgent", .exclusive("key"), .priority(1), when: first.settled) {
        journal.note("urgent")
      }
      for number in 0..<30 { pond.pebble("other \(number)") { await Task.yield() } }

      _ = try await pond.run()

      #expect(journal.entries == ["urgent"] + Array(repeating: "waiting", count: 4))
    }
  }

  @Test func prioritiesAloneLimitNothing() async throws {
    let pond = Pond("order")
    let everybody = Meeting(of: 30)
    for number in 0..<30 {
      pond.pebble("\(number)", .priority(number % 3)) { await everybody.attend() }
    }

    #expect(try await pond.run().isAllSucceeded)
  }

  @Test func theLongestRemainingPathGoesFirst() async throws {
    let pond = Pond("paths", maxConcurrent: 1)
    add("alone", to: pond, taking: 50)
    let short = add("short", to: pond, taking: 1)
    add("after short", to: pond, when: short.succeeded, taking: 10)
    let long = add("long", to: pond, taking: 1)
    let next = add("after long", to: pond, when: long.succeeded, taking: 40)
    add("end", to: pond, when: next.settled, taking: 20)

    let first = try await pond.run(clock: clock)
    let unlearned = journal.entries
    _ = try await pond.run(clock: clock, learningFrom: first)
    let learned = journal.entries.dropFirst(unlearned.count)

    #expect(unlearned.first == "alone")
    // 61 are left behind `long`, then 60 behind its next; 50 alone; 20; 11 and 10.
    #expect(learned == ["long", "after long", "alone", "end", "short", "after short"])
  }

  @Test func priorityCountsMoreThanAPath() async throws {
    let pond = Pond("paths", maxConcurrent: 1)
    let long = add("long", to: pond, taking: 100)
    add("end", to: pond, when: long.succeeded, taking: 100)
    add("urgent", to: pond, taking: 1, priority: 1)

    let report = try await pond.run(clock: clock)
    _ = try await pond.run(clock: clock, learningFrom: report)

    #expect(journal.entries.suffix(3) == ["urgent", "long", "end"])
  }

  @Test func aKeptPebbleCountsAsInTheRunThatCalledIt() async throws {
    let pond = Pond("kept", maxConcurrent: 1)
    add("short", to: pond, taking: 5)
    add("long", to: pond, taking: 50)
    let first = try pond.start(clock: clock)
    _ = try await first.report
    let second = try await first.resumed(clock: clock)
    _ = try await second.report
    let third = try await second.resumed(clock: clock)

    _ = try await pond.run(clock: clock, learningFrom: third.report)

    #expect(journal.entries == ["short", "long"] + ["long", "short"])
  }

  @Test func whatTheReportDoesNotKnowCountsAsNothing() async throws {
    let elsewhere = Pond("elsewhere")
    add("known", to: elsewhere, taking: 5)
    elsewhere.pebble("failed") { [clock] in
      clock.advance(by: .seconds(3))
      throw Breakdown()
    }
    elsewhere.pebble("skipped", when: .never) {}
    let report = try await elsewhere.run(clock: clock)
    let pond = Pond("order", maxConcurrent: 1)
    for name in ["new", "skipped", "failed", "known"] { add(name, to: pond) }

    _ = try await pond.run(learningFrom: report)

    #expect(journal.entries.dropFirst() == ["known", "failed", "new", "skipped"])
  }

  @Test func learningLimitsNothing() async throws {
    let pond = Pond("order")
    let everybody = Meeting(of: 20)
    for number in 0..<20 {
      let body: @Sendable () async -> Void = {
        await everybody.attend()
      }
      pond.pebble("\(number)", body: body)
    }

    let report = try await pond.run()

    #expect(try await pond.run(learningFrom: report).isAllSucceeded)
  }

  @discardableResult
  private func add(
    _ name: String, to pond: Pond, when condition: Condition = .always, taking seconds: Int = 0,
    priority: Int = 0
  ) -> Pebble<Void> {
    pond.pebble(name, .priority(priority), when: condition) { [journal, clock] in
      journal.note(name)
      clock.advance(by: .seconds(seconds))
    }
  }
}
