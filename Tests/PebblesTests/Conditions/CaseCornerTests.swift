import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

private enum Side: CaseIterable {
  case heads, tails
}

/// Tests of unusual uses of cases and goals that were once handled incorrectly.
@Suite(.watched) struct CaseCornerTests {
  private let pond = Pond("corners")

  @Test func aGoalThatIsTrueInACancelledRunIsReached() async throws {
    let pond = Pond("cancelled", onFailure: .cancelAll)
    let home = pond.pebble("home") {}
    let slow = pond.pebble("slow", when: home.succeeded) { try await untilCancelled() }
    pond.pebble("bad", when: home.succeeded) { throw Breakdown("bad") }
    let offline = pond.pebble("offline", when: slow.settled && home.failed) { true }
    let last = pond.pebble("last", when: slow.settled) { true }
    let isTrue = last.is(true)
    pond.goal = .exactlyOne(of: home.completed, offline.completed) && last.skipped && !isTrue

    let report = try await pond.run()

    #expect(report.isCancelled)
    #expect(report.outcome(of: last).isSkipped)
    #expect(report.isGoalReached == true)
    #expect(report.missedGoal == nil)
  }

  @Test func aTimeoutOfAnotherPebbleOfTheNameIsNone() async throws {
    let (clock, started) = (AlarmClock(), Gate())
    let inner = Pond("inner")
    let innerFetch = inner.pebble("fetch", .timeout(.seconds(1))) {
      started.open()
      try await untilCancelled()
    }
    let fetch = pond.pebble("fetch") {
      try await inner.run(clock: clock).value(of: innerFetch)
    }
    let isTimeout = fetch.failed("timeout inside") { $0 is PebbleTimeout }
    let slow = pond.pebble("slow", when: fetch.timedOut) {}
    let other = pond.pebble("other", when: isTimeout) {}

    async let run = pond.run()
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    let report = try await run

    #expect(!report.ran(slow))
    #expect(report.ran(other))
  }

  @Test func whatFailedBeforeACancellationIsAFailure() async throws {
    let run = Mutex<Run?>(nil)
    let isKnown = Gate()
    let fetch = pond.pebble("fetch") {
      await isKnown.passed()
      throw Breakdown("no route")
    }
    pond.pebble(
      "after",
      when: fetch.failed("fatal") { _ in
        run.withLock { $0 }?.cancel()
        return true
      }
    ) {}

    let started = try pond.start()
    run.withLock { $0 = started }
    isKnown.open()
    let report = try await started.report

    let record = try #require(report.record(of: fetch))
    #expect(!record.wasCancelled)
    #expect(record.cases == [.failed("fatal")])
    #expect(report.unhandledFailures.map(\.name) == ["fetch"])
    #expect(report.exitCode == 1)
  }

  @Test func allValuesAreKnownHoweverTheyWereAskedForFirst() async throws {
    func only<Value: Equatable>(_ pebble: Pebble<Value>, _ value: Value) -> Condition {
      pebble.is(value)
    }
    let flip = pond.pebble("flip") { Side.heads }
    _ = only(flip, .heads)
    _ = only(flip, .tails)
    #expect(pond.program().pond.graph.cases[0]?.isExhaustive == false)

    _ = flip.is(.heads)

    #expect(pond.program().pond.graph.cases[0]?.isExhaustive == true)
    #expect(pond.program().pond.graph.cases[0]?.cases == [.is("heads"), .is("tails")])
  }

  @Test func aPondThatIsGoneStillKnowsItsCases() async throws {
    func report() async throws -> (Report, Pebble<Side>, Pebble<Void>) {
      let pond = Pond("gone")
      let flip = pond.pebble("flip") { Side.heads }
      let fetch = pond.pebble("fetch") {}
      pond.pebble("won", when: flip.is(.heads) && !fetch.timedOut) {}
      return (try await pond.run(), flip, fetch)
    }
    let (report, flip, fetch) = try await report()

    #expect("\(flip.is(.heads))" == "flip.is(\"heads\")")
    #expect("\(fetch.timedOut)" == "fetch.timedOut")
    #expect("\(fetch.failed("new") { _ in true })" == ".never")
    #expect(report.record(of: flip)?.cases == [.is("heads")])
  }

  @Test func outputsThatAreNoneOfAllValuesAreToldInTheSummary() async throws {
    struct Odd: CaseIterable, Equatable, Sendable {
      let number: Int
      static let allCases = [Odd(number: 1), Odd(number: 3)]
    }
    let odd = pond.pebble("odd") { Odd(number: 2) }
    pond.pebble("after", when: odd.is(Odd(number: 1))) {}

    let report = try await pond.run()

    #expect("\(report)".contains("\n\nwith an output that is none of the declared values: odd\n"))
  }

  @Test func namesThatAreNoWordsStandInQuotes() async throws {
    let load = pond.pebble("load") { throw Breakdown("no") }
    let odd = load.failed("x and as y") { _ in false }
    let after = pond.pebble("after", when: odd) {}

    let report = try await pond.run()

    #expect(
      report.record(of: after)?.explanation.contains("load to fail as \"x and as y\"") == true)
    _ = load.failed("") { _ in true }
    let error = await #expect(throws: PondError.self) { try await pond.run() }
    #expect(
      error?.faults.map(\.description) == ["\"load\" has a case without a name; give it one"])
  }
}
