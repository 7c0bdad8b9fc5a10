import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of runs that are constructed by hand, and of the problems that are found in them.
@Suite struct HandMadeRunTests {
  private let pond = Pond("boot")

  private func run(
    _ records: RecordedPebble..., lasting makespan: Duration = .seconds(1),
    shutdown: RecordedShutdown? = nil
  ) throws -> RecordedRun {
    for record in records { pond.pebble(record.name) {} }
    return try RecordedRun(
      model: pond.model(), pebbles: records, makespan: makespan, shutdown: shutdown)
  }

  private func load(
    _ outcome: RecordedOutcome = .succeeded, as cases: [PebbleCase] = []
  ) -> RecordedPebble {
    RecordedPebble(
      name: "load", outcome: outcome, ready: .zero, started: .zero, finished: .zero, cases: cases)
  }

  @Test(
    arguments: [
      (0, 0), (499_999_999, 0), (500_000_000, 1), (1_499_999_999, 1), (1_500_000_000, 2),
      (2_500_000_000, 3),
    ] as [(Int128, Int64)])
  func timesAreRoundedToTheNearestNanosecondAndHalvesUp(
    _ attoseconds: Int128, _ nanoseconds: Int64
  ) throws {
    let run = try run(load(), lasting: Duration(attoseconds: attoseconds))

    #expect(run.makespan == .nanoseconds(nanoseconds))
  }

  @Test func theyHaveNoRunsInside() throws {
    let run = try run(load())

    #expect(run.nested.isEmpty)
    #expect(run.omittedNestedRuns == 0)
  }

  @Test func theFirstPebbleIsNamedThatWasWaitedForAndDoesNotExist() {
    let stalled = RecordedPebble(
      name: "load", outcome: .skipped(.stalled(waitingOn: ["load", "who", "whom"])),
      finished: .zero)

    let error = #expect(throws: RecordingError.self) { try run(stalled) }

    #expect(error?.description == "load waited for who, which does not exist")
  }

  @Test(
    arguments: [
      (.failed("no"), [.failed("locked")], nil), (.failed("no"), [.timedOut], "is recorded"),
      (.failed("no"), [.failed("open")], "is recorded"),
      (.failed("no"), [.succeeded("empty")], "is recorded"),
      (.succeeded, [.failed("locked")], "is recorded"), (.succeeded, [.succeeded("empty")], nil),
    ] as [(RecordedOutcome, [PebbleCase], String?)])
  func casesAreThoseOfThePebbleAndOfItsOutcome(
    _ outcome: RecordedOutcome, _ cases: [PebbleCase], _ problem: String?
  ) throws {
    let load = pond.pebble("load") { 1 }
    _ = (load.failed("locked") { _ in true }, load.succeeded("empty") { $0 == 0 })
    let model = try pond.model()
    func make() throws -> RecordedRun {
      try RecordedRun(model: model, pebbles: [self.load(outcome, as: cases)], makespan: .zero)
    }

    guard let problem else {
      #expect(try make().pebbles[0].cases == cases)
      return
    }
    let error = #expect(throws: RecordingError.self) { try make() }
    #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
  }

  @Test func theFirstProblemOfTheShutdownsInsideIsTold() {
    func shutdown(_ inside: NestedShutdown...) -> NestedShutdown {
      NestedShutdown(pebble: "load", pondName: "inner", duration: .zero, nested: inside)
    }
    let late = NestedShutdown(
      pebble: "load", pondName: "inner", duration: .zero,
      teardowns: [NestedTeardown(pebble: "buffer", started: nil, finished: .seconds(1))])
    let negative = NestedShutdown(pebble: "load", pondName: "inner", duration: .seconds(-1))
    func said(of inside: NestedShutdown...) -> String? {
      shutdown(shutdown(), shutdown(inside[0], inside[1])).problem
    }

    #expect(said(of: late, negative) == "has an inner run with teardowns outside its shutdown")
    #expect(said(of: negative, late)?.hasPrefix("has an inner run whose shutdown took") == true)
    #expect(shutdown(shutdown()).problem == nil)
  }

  @Test func aTeardownInsideEndsAfterItHasBegun() {
    func problem(from start: Duration?, to end: Duration) -> String? {
      NestedShutdown(
        pebble: "load", pondName: "inner", duration: .seconds(3),
        teardowns: [NestedTeardown(pebble: "buffer", started: start, finished: end)]
      ).problem
    }

    #expect(problem(from: .seconds(2), to: .seconds(2)) == nil)
    #expect(problem(from: .seconds(2), to: .seconds(1)) != nil)
    #expect(problem(from: nil, to: .seconds(3)) == nil)
    #expect(problem(from: nil, to: .seconds(-1)) != nil)
  }

  @Test func timesOfShutdownsInsideOfOthersAreRounded() {
    let time = Duration(attoseconds: 1_600_000_000)
    let inner = NestedShutdown(
      pebble: "load", pondName: "inner", duration: time,
      teardowns: [NestedTeardown(pebble: "buffer", started: time, finished: time)])
    let outer = NestedShutdown(
      pebble: "load", pondName: "outer", duration: time, nested: [inner])

    let rounded = outer.inWholeNanoseconds

    #expect(rounded.duration == .nanoseconds(2))
    #expect(rounded.nested.map(\.duration) == [.nanoseconds(2)])
    #expect(rounded.nested[0].teardowns.map(\.started) == [.nanoseconds(2)])
  }

  /// Checks that a run that had not ended when it was recorded has no other problem, and that its
  /// cancellation counts as orderly.
  @Test func aRunThatHadNotEndedHasNoOtherProblem() throws {
    let run = try run(load()).from(RunOrigin(host: "build-7")).unended([0: "was running"])

    #expect(run.unended == [0: "was running"])
    #expect(run.cancellation?.isOrderly == true)
    #expect(run.origin?.host == "build-7")
    #expect(try run.problems == ["the run had not ended when its journal was read"])
    #expect(try run.exitCode == 1)
  }

  @Test func aRunThatHadNotEndedKeepsEverythingElse() throws {
    var run = try run(load())
    run.unreadableLine = 7
    run.journalProblem = "is full"

    let unended = run.unended([:])

    #expect(unended.unreadableLine == 7)
    #expect(unended.journalProblem == "is full")
    let read = try RecordedRun(json: unended.json())
    #expect(read.journalProblem == "is full")
    #expect(read.unended == [:])
  }

  @Test func onlyWhatWasToRunAndCouldNotIsBlocked() throws {
    let ping = pond.pebble("ping") {}
    let login = pond.pebble("login", when: ping.succeeded) {}
    let retry = pond.pebble("retry", when: login.failed) {}
    let run = try pond.simulated { $0.failures = [0: "no route"] }

    #expect(run.skipKinds == [nil, .blocked, .notNeeded])
    #expect([ping, login, retry].map(run.isBlocked) == [false, true, false])
    #expect(!run.isBlocked(.named("nobody")))
    #expect(run.blocked.map(\.name) == ["login"])
    #expect(try pond.simulated().isBlocked(login) == false)
  }
}
