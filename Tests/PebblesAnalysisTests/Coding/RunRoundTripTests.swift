import Pebbles
@testable import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that a run is the same after it has been written and read again.
@Suite(.watched) struct RunRoundTripTests {
  @Test func everythingRecordedIsInTheDocument() async throws {
    let inner = Pond("inner")
    inner.pebble("work") {}
    let pond = Pond("boot")
    let ping = pond.pebble("ping", .retry(.attempts(3))) { throw Breakdown("refused\n\"again\"") }
    let load = pond.pebble("load", when: ping.failed) { _ = try await inner.run() }
    pond.pebble("show", needs: load, ping) { _, _ in }
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.skipped) {}
    first.ready = second.succeeded
    pond.pebble("off", .enabled { false }) {}
    let run = try await pond.run().recorded()

    let copy = try RecordedRun(json: run.json())

    expectAlike(copy, run)
    #expect(copy.pebbles[0].attempts.count == 3)
    #expect(copy.nested.first?.run.model.names == ["work"])
    #expect(copy.pebbles[3].outcome == .skipped(.stalled(waitingOn: ["second"])))
  }

  @Test(arguments: [
    RunOrigin(), RunOrigin(started: .seconds(1_795_000_000), host: "build-7\n", version: "2.4.1"),
    RunOrigin(started: .seconds(-1), version: String(repeating: "v", count: 300)),
  ])
  func theOriginComesBack(_ origin: RunOrigin) throws {
    let pond = Pond("boot")
    pond.pebble("load") {}
    let run = Simulator(try pond.model(), SimulationPlan()).run().from(origin)

    #expect(try RecordedRun(json: run.json()).origin == origin)
    #expect(try RecordedRun(json: run.from(nil).json()).origin == nil)
    #expect((origin.started ?? .zero) >= .zero && (origin.version?.count ?? 0) <= 200)
  }

  @Test func shutdownsOfRunsInsideComeBack() async throws {
    let (app, middle, inner) = (Pond("app"), Pond("middle"), Pond("inner"))
    inner.pebble("buffer", teardown: { throw Breakdown("disk full") }) {}
    middle.pebble("runs inner") { _ = try await inner.run() }
    app.pebble("runs middle") { _ = try await middle.run() }
    let started = try app.start()
    _ = try await started.report
    try await started.shutdown()
    let run = try await started.report.recorded()

    let copy = try RecordedRun(json: run.json())

    expectAlike(copy, run)
    let nested = try #require(copy.shutdown?.nested.first)
    #expect(nested.pebble == "runs middle" && nested.pondName == "middle")
    #expect(nested.nested.map(\.pebble) == ["runs inner"])
    #expect(nested.nested.first?.teardowns.map(\.error) == ["disk full"])
  }

  @Test func nestedShutdownsThatCannotBeAreRefused() throws {
    let pond = Pond("boot")
    pond.pebble("load") {}
    func nested(in pebble: String, until time: Duration) throws {
      let teardown = NestedTeardown(pebble: "buffer", started: .zero, finished: time)
      let inner = NestedShutdown(
        pebble: pebble, pondName: "inner", duration: .seconds(1), teardowns: [teardown])
      _ = try RecordedRun(
        model: pond.model(),
        pebbles: [
          RecordedPebble(
            name: "load", outcome: .succeeded, ready: .zero, started: .zero, finished: .zero)
        ], makespan: .zero, shutdown: RecordedShutdown(duration: .zero, nested: [inner]))
    }

    try nested(in: "load", until: .seconds(1))
    #expect(throws: RecordingError.self) { try nested(in: "load", until: .seconds(2)) }
    #expect(throws: RecordingError.self) { try nested(in: "nobody", until: .seconds(1)) }
  }

  @Test func cancelledRunsComeBack() async throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let ping = pond.pebble("ping") { throw CancellationError() }
    pond.pebble("show", when: ping.succeeded) {}
    let run = try await pond.run().recorded()

    #expect(run.cancellation == RecordedCancellation("ping failed", isOrderly: false))
    expectAlike(try RecordedRun(json: run.jsonBytes()), run)
  }

  @Test func whatIsRareInRunsComesBack() throws {
    let pond = Pond("boot")
    pond.pebble("never called") {}
    pond.pebble("service") {}
    pond.pebble("late") {}
    let records = [
      RecordedPebble(
        name: "never called", outcome: .succeeded, ready: .zero, started: .zero, finished: .zero,
        servicesDownInside: ["listener inside it ended without having been asked to"]),
      RecordedPebble(
        name: "service", outcome: .succeeded, ready: .zero, started: .zero, finished: .seconds(1),
        attempts: [RecordedAttempt(started: .zero, finished: .seconds(1))],
        service: RecordedService(
          end: RecordedServiceEnd(time: .seconds(9), error: "gone", wasAsked: false), isDown: true,
          restarts: [
            RecordedServiceRestart(time: .seconds(2), attempt: 2, error: "full"),
            RecordedServiceRestart(time: .seconds(3), attempt: 3),
          ],
          restartCount: 7)),
      RecordedPebble(
        name: "late", outcome: .failed(""), ready: .zero, started: .zero, finished: longest,
        attempts: [
          RecordedAttempt(started: .nanoseconds(1), finished: .nanoseconds(2), error: "")
        ],
        isStillRunning: true, wasCancelled: true, lateTeardownErrors: ["busy", ""]),
    ]
    let run = try RecordedRun(
      model: pond.model(), pebbles: records, makespan: longest,
      cancellation: RecordedCancellation("", isOrderly: true),
      shutdown: RecordedShutdown(
        reason: "the process got SIGTERM", started: longest, duration: longest,
        teardowns: [
          RecordedTeardown(pebble: 1, started: .zero, finished: longest, error: "busy"),
          RecordedTeardown(pebble: 0, started: nil, finished: .zero),
        ]))

    let copy = try RecordedRun(json: run.json())

    expectAlike(copy, run)
    #expect(copy.pebbles == records)
    #expect(try copy.exitCode == 1)
    #expect(
      try copy.problems.contains(
        "\"never called\": listener inside it ended without having been asked to"))
    #expect(copy.makespan == longest)
  }

  @Test func runsOfRandomPondsComeBack() async throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<200 {
      let reference = ReferencePond.random(
        mostPebbles: 10, withCases: Bool.random(using: &generator), using: &generator)
      let recorded = try await reference.definedPond().run().recorded()
      let run = recorded.omittingNestedRuns(Int.random(in: 0...3, using: &generator))

      #expect(run.fault == nil)
      expectAlike(try RecordedRun(json: run.jsonBytes()), run)
    }
  }

  @Test func timesByHandAreKeptInWholeNanoseconds() throws {
    let pond = Pond("boot")
    pond.pebble("load") {}
    let time = Duration(attoseconds: 1_600_000_000)
    let load = RecordedPebble(
      name: "load", outcome: .succeeded, ready: time, started: time, finished: time,
      attempts: [RecordedAttempt(started: time, finished: time)])

    let run = try RecordedRun(model: pond.model(), pebbles: [load], makespan: time)

    #expect(run.makespan == .nanoseconds(2))
    #expect(run.pebbles[0].started == .nanoseconds(2))
    #expect(try RecordedRun(json: run.json()).pebbles == run.pebbles)
  }

  @Test func aRunThatHadNotEndedHasNotEndedWhenItIsReadBack() throws {
    let pond = Pond("boot")
    pond.pebble("load") {}
    pond.pebble("show") {}
    let skipped = { RecordedPebble(name: $0, outcome: .skipped(.cancelled), finished: .seconds(1)) }
    let run = try RecordedRun(
      model: pond.model(), pebbles: [skipped("load"), skipped("show")], makespan: .seconds(1)
    ).from(RunOrigin(host: "build-7")).unended([0: "was running", 1: "had not begun"])

    let copy = try RecordedRun(json: run.json())

    expectAlike(copy, run)
    #expect(copy.unended == [0: "was running", 1: "had not begun"])
    #expect(copy.origin?.host == "build-7")
    #expect(try copy.exitCode == 1)
  }

  private let longest = Duration(attoseconds: Int128(UInt64.max) * 1_000_000_000)

  private func expectAlike(
    _ copy: RecordedRun, _ run: RecordedRun, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    PebblesAnalysisTests.expectAlike(
      copy.model, run.model, withGateNumbers: false, sourceLocation: sourceLocation)
    #expect(copy.pebbles == run.pebbles, sourceLocation: sourceLocation)
    #expect(copy.makespan == run.makespan, sourceLocation: sourceLocation)
    #expect(copy.cancellation == run.cancellation, sourceLocation: sourceLocation)
    #expect(copy.unended == run.unended, sourceLocation: sourceLocation)
    #expect(copy.shutdown == run.shutdown, sourceLocation: sourceLocation)
    #expect(copy.omittedNestedRuns == run.omittedNestedRuns, sourceLocation: sourceLocation)
    #expect(copy.nested.map(\.pebble) == run.nested.map(\.pebble), sourceLocation: sourceLocation)
    for (copy, run) in zip(copy.nested, run.nested) {
      expectAlike(copy.run, run.run, sourceLocation: sourceLocation)
    }
    #expect(copy.json() == run.json(), sourceLocation: sourceLocation)
  }
}

extension RecordedRun {
  /// Returns a copy of the run that claims to have omitted the given number of nested runs.
  fileprivate func omittingNestedRuns(_ count: Int) -> RecordedRun {
    RecordedRun(
      unchecked: model, pebbles: pebbles, makespan: makespan, cancellation: cancellation,
      shutdown: shutdown, nested: nested, omittedNestedRuns: count, deciders: deciders)
  }
}
