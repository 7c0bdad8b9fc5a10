import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the data that is recorded for single pebbles, and of the values computed from it.
@Suite(.watched) struct RunStorageTests {
  private let storage: RunStorage
  private let decisions: Decisions

  init() {
    let pond = Pond("noted")
    for name in ["first", "second"] { pond.pebble(name, teardown: {}) {} }
    storage = RunStorage(pond.program().pond)
    var decisions = Decisions()
    storage.state.begin(into: &decisions)
    self.decisions = decisions
  }

  private func end(_ pebble: Int, succeeded: Bool = true, from start: UInt64 = 0, at time: UInt64) {
    var decisions = decisions
    storage.state.pebbleStarted(pebble, at: start)
    storage.state.pebbleFinished(pebble, succeeded: succeeded, at: time, into: &decisions)
  }

  @Test func theNewestHundredRestartsAreKeptAndAllAreCounted() {
    for attempt in 1...150 {
      storage.serviceRestarted(
        ServiceRestart(time: .seconds(attempt), attempt: attempt, error: nil), at: 0)
    }

    let notes = storage.notes(at: 0)
    #expect(notes?.restartCount == 150)
    #expect(notes?.restarts.map(\.attempt) == Array(51...150))
  }

  @Test func theFirstHundredErrorsOfLateTeardownsAreKept() {
    for number in 0..<150 { storage.lateTeardownFailed(Breakdown("\(number)"), at: 0) }

    let errors = storage.notes(at: 0)?.lateTeardownErrors.map { "\($0)" }
    #expect(errors == (0..<100).map { "\($0)" })
  }

  @Test(arguments: [
    (PebbleTimeout.Scope.attempt, false), (.readiness, false), (.run, false), (.shutdown, true),
  ])
  func onlyAShutdownLeavesABodyBehind(scope: PebbleTimeout.Scope, isLeftBehind: Bool) {
    let timeout = PebbleTimeout(pebble: "first", limit: .seconds(1), scope)
    storage.bodyFailed(with: timeout, at: 0)
    storage.bodyGivenUp(at: 0, after: timeout)
    end(0, succeeded: false, at: 1)

    #expect(storage.isLeftBehind(0) == isLeftBehind)
    storage.lateBodyEnded(at: 0)
    #expect(!storage.isLeftBehind(0))
  }

  @Test func aServiceInsideOfAPebbleThatHasFailedIsPartOfThatFailure() {
    let inner = Pond("inner")
    inner.pebble("http") {}
    let inside = RunStorage(inner.program().pond)
    inside.serviceEnded(ServiceEnd(time: .zero, error: nil, wasAsked: false), at: 0)
    inside.serviceIsDown(at: 0)
    for pebble in 0...1 { storage.serviceIsDown(inside: inside, at: pebble, attempt: 1) }
    end(0, succeeded: false, at: 1)
    end(1, at: 1)

    #expect(storage.servicesDownInside(at: 0).isEmpty)
    #expect(storage.servicesDownInside(at: 1).map(\.path) == [["http"]])
    #expect(storage.servicesDown.map(\.path) == [["second", "http"]])
  }

  @Test func theFirstHundredRunsWithAServiceDownAreKeptOfTheLastAttempt() {
    let inner = Pond("inner").program().pond
    for _ in 0..<150 { storage.serviceIsDown(inside: RunStorage(inner), at: 0, attempt: 1) }
    #expect(storage.notes(at: 0)?.runsWithDown.map(\.attempt) == Array(repeating: 1, count: 100))

    storage.serviceIsDown(inside: RunStorage(inner), at: 0, attempt: 2)

    #expect(storage.notes(at: 0)?.runsWithDown.map(\.attempt) == [2])
  }

  /// Tests a service that is down inside a chain of 100 nested runs. The test would practically
  /// never end if a run were examined more than once.
  @Test func aServiceThatIsDownIsFoundHoweverDeepItIs() {
    storage.serviceEnded(ServiceEnd(time: .zero, error: nil, wasAsked: false), at: 0)
    storage.serviceIsDown(at: 0)
    var inner = storage
    for _ in 0..<100 {
      let around = RunStorageTests()
      around.end(0, at: 1)
      around.storage.serviceIsDown(inside: inner, at: 0, attempt: 1)
      inner = around.storage
    }

    #expect(inner.servicesDown.map(\.path.count) == [101])
    #expect(inner.pebblesWithServiceDown == [0])
  }

  /// Tests services that are down in 100 runs, each of which keeps the pebbles of all earlier ones.
  /// The test would practically never end if a run were examined for more than its own pebble.
  @Test func servicesThatAreDownAreFoundHoweverManyRunsHaveKeptThem() {
    let pond = Pond("chain")
    for number in 0..<100 { pond.pebble("\(number)") {} }
    let logic = pond.program().pond
    var kept: [Int: KeptPebble] = [:]
    for pebble in 0..<100 {
      let run = RunStorage(logic, of: nil, keeping: kept)
      run.serviceIsDown(at: pebble)
      kept[pebble] = KeptPebble(
        run: RunIdentifier("\(pebble)"), output: nil, cases: CaseSet(), origin: run)
    }

    let newest = RunStorage(logic, of: nil, keeping: kept)

    #expect(newest.pebblesWithServiceDown == Set(0..<100))
  }

  // MARK: Teardowns

  /// Returns the report of a shutdown in which the second pebble was torn down before the first.
  private func shutdown() -> ShutdownReport {
    end(0, from: 3_000_000_000, at: 4_000_000_000)
    end(1, from: 1_000_000_000, at: 2_000_000_000)
    let run = Report(storage, RunIdentifier("down"), endedAt: 5_000_000_000, nil)
    return ShutdownReport(
      pondName: "noted", run: run, pebbles: [(0, "first", []), (1, "second", [])])
  }

  @Test func aShutdownTellsOfTeardownsInTheOrderInWhichTheyBegan() {
    let shutdown = shutdown()

    #expect(shutdown.records.map(\.pebble) == ["second", "first"])
    #expect(shutdown.records.map(\.started) == [.seconds(1), .seconds(3)])
    #expect(shutdown.duration == .seconds(5))
  }

  @Test func whatBeganAtTheSameTimeStaysInItsOrder() {
    for pebble in 0...1 { end(pebble, at: 1) }
    let run = Report(storage, RunIdentifier("down"), endedAt: 1, nil)

    for names in [["first", "second"], ["second", "first"]] {
      let shutdown = ShutdownReport(
        pondName: "noted", run: run, pebbles: names.enumerated().map { ($0, $1, []) })
      #expect(shutdown.records.map(\.pebble) == names)
    }
  }

  @Test func theTimesOfSeveralShutdownsFollowEachOther() {
    let one = shutdown()

    let all = ShutdownReport([one, one])

    #expect(all.records.map(\.started) == [1, 3, 6, 8].map { .seconds($0) })
    #expect(all.records.map(\.finished) == [2, 4, 7, 9].map { .seconds($0) })
    #expect(all.duration == .seconds(10))
  }

  @Test func aBodyThatHasNotEndedGoesOnUntilItHas() {
    storage.state.pebbleStarted(0, at: 0)
    let shutdown = ShutdownReport(storage, stillRunning: [0, 1], within: .seconds(1))

    #expect(shutdown.records.map(\.isStillRunning) == [true, false])
    var decisions = decisions
    storage.state.pebbleFinished(0, succeeded: true, at: 1, into: &decisions)
    #expect(shutdown.records.map(\.isStillRunning) == [false, false])
  }
}
