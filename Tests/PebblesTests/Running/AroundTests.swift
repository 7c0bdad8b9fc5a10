import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct AroundTests {
  private let clock = AlarmClock()

  @Test func severalAreNestedOutermostFirst() async throws {
    let journal = Logbook<String>()
    let pond = Pond("surrounded", around: noting("a", journal), noting("b", journal))
    let cores = pond.pebble("cores") {
      journal.note("body")
      return 83
    }

    let report = try await pond.run(clock: clock)

    #expect(report[cores] == 83)
    #expect(journal.entries == ["a>", "b>", "body", "<b", "<a"])
  }

  @Test func theyAreAroundEveryFormOfBodyAndEveryAttempt() async throws {
    let calls = Logbook<PebbleContext>()
    let pond = Pond(
      "surrounded",
      around: { context, body in
        calls.note(context)
        try await body()
      })
    let attempts = Attempts(failing: 1)
    let seed = pond.pebble("seed") { 1 }
    let inputs = pond.pebble("inputs", needs: seed) { $0 }
    let callback = pond.pebble("callback", when: inputs.succeeded) { complete in complete(true) }
    let retried = pond.pebble("retried", .retry(.attempts(2)), when: callback.succeeded) {
      try attempts.next()
    }
    let timed = pond.pebble("timed", .timeout(.seconds(5)), needs: retried) { $0 }
    pond.service("service", .ending(.ignore), when: timed.succeeded) { ready in ready() }

    let report = try await pond.run(clock: clock)

    #expect(report.isAllSucceeded)
    #expect(
      calls.entries.map { "\($0.pebble) \($0.attempt)" } == [
        "seed 1", "inputs 1", "callback 1", "retried 1", "retried 2", "timed 1", "service 1",
      ])
    #expect(
      calls.entries.allSatisfy { $0.pond == "surrounded" && $0.runIdentifier == report.identifier })
  }

  @Test func skippedPebblesHaveNothingAroundThem() async throws {
    let journal = Logbook<String>()
    let pond = Pond("surrounded", around: noting("a", journal))
    pond.pebble("skipped", when: .never) {}

    _ = try await pond.run(clock: clock)

    #expect(journal.entries.isEmpty)
  }

  // MARK: - Errors

  @Test(arguments: [0, 1])
  func throwingInsteadOfCallingFailsThePebble(layer: Int) async throws {
    let journal = Logbook<String>()
    let fault: Around = { _, _ in throw Breakdown("injected") }
    let (outer, inner) = layer == 0 ? (fault, pass) : (pass, fault)
    let pond = Pond("surrounded", around: outer, inner)
    let cores = pond.pebble("cores") { journal.note("body") }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: cores).error as? Breakdown == Breakdown("injected"))
    #expect(journal.entries.isEmpty)
  }

  @Test func anInjectedFaultIsTriedAgain() async throws {
    let pond = Pond(
      "surrounded",
      around: { context, body in
        if context.attempt < 3 { throw Breakdown("injected \(context.attempt)") }
        try await body()
      })
    let cores = pond.pebble("cores", .retry(.attempts(3))) { 83 }

    let report = try await pond.run(clock: clock)

    #expect(report[cores] == 83)
    #expect(
      report.record(of: cores)?.attempts.map { $0.error as? Breakdown } == [
        Breakdown("injected 1"), Breakdown("injected 2"), nil,
      ])
  }

  @Test func aLayerMayThrowAnotherErrorThanTheBody() async throws {
    let pond = Pond(
      "surrounded",
      around: { context, body in
        do { try await body() } catch { throw Breakdown("\(context.pebble): \(error)") }
      })
    let cores = pond.pebble("cores") { throw Breakdown("no network") }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: cores).error as? Breakdown == Breakdown("cores: no network"))
  }

  @Test func throwingAfterTheBodyHasSucceededFailsThePebble() async throws {
    let pond = Pond(
      "surrounded",
      around: { _, body in
        try await body()
        throw Breakdown("span not closed")
      })
    let cores = pond.pebble("cores") { 83 }

    let report = try await pond.run(clock: clock)

    #expect(report[cores] == nil)
    #expect(report.outcome(of: cores).error as? Breakdown == Breakdown("span not closed"))
  }

  @Test func swallowingAnErrorDoesNotMakeASuccess() async throws {
    let swallow: Around = { _, body in try? await body() }
    let pond = Pond("surrounded", around: swallow, swallow)
    let cores = pond.pebble("cores") { () async throws -> Int in throw Breakdown("no network") }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: cores).error as? Breakdown == Breakdown("no network"))
  }

  @Test(arguments: [0, 1])
  func notCallingTheBodyIsAnError(layer: Int) async throws {
    let idle: Around = { _, _ in }
    let (outer, inner) = layer == 0 ? (idle, pass) : (pass, idle)
    let pond = Pond("surrounded", around: outer, inner)
    let cores = pond.pebble("cores") { 83 }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: cores).error as? AroundError == .bodyNotCalled)
    #expect(
      report.record(of: cores)?.explanation
        == "cores failed: the closure around its body returned without calling it")
  }

  @Test(arguments: [2, 3, 10])
  func callingTheBodyAgainIsAnErrorAndDoesNotCallIt(times: Int) async throws {
    let bodies = Logbook<String>()
    let pond = Pond(
      "surrounded",
      around: { _, body in for _ in 0..<times { try? await body() } })
    let cores = pond.pebble("cores") { bodies.note("body") }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: cores).error as? AroundError == .bodyCalledAgain)
    #expect(bodies.entries == ["body"])
    #expect(
      report.record(of: cores)?.explanation
        == "cores failed: the closure around its body called it a second time")
  }

  @Test func callingTheBodyTwiceAtOnceCallsItOnce() async throws {
    let bodies = Logbook<String>()
    let pond = Pond(
      "surrounded",
      around: { _, body in
        await withoutActuallyEscaping(body) { body in
          await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { try? await body() } }
          }
        }
      })
    let cores = pond.pebble("cores") {
      bodies.note("body")
      await Task.yield()
    }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: cores).error as? AroundError == .bodyCalledAgain)
    #expect(bodies.entries == ["body"])
  }

  // MARK: - Time and place

  @Test func theTimeoutIsAlsoThatOfWhatIsAround() async throws {
    let gate = Gate()
    let started = Gate()
    let pond = Pond(
      "surrounded",
      around: { _, body in
        started.open()
        await gate.passed()
        try await body()
      })
    let cores = pond.pebble("cores", .timeout(.seconds(5))) {
      Issue.record("called after its timeout")
    }

    let run = try pond.start(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await run.report

    let record = try #require(report.record(of: cores))
    #expect(record.outcome.error is PebbleTimeout)
    #expect(record.isStillRunning)
    gate.open()
    try await until { !record.isStillRunning }
  }

  @Test func aLayerOnTheMainActorDoesNotTakeTheBodyThere() async throws {
    let pond = Pond(
      "surrounded",
      around: { @MainActor _, body in
        MainActor.assertIsolated()
        try await body()
        MainActor.assertIsolated()
      })
    let executor = QueueExecutor()
    let there = pond.pebble("there", .executor(executor)) { executor.isCurrent }
    let onMain = pond.pebble("onMain") { @MainActor in MainActor.assertIsolated() }

    let report = try await pond.run(clock: clock)

    #expect(report[there] == true)
    #expect(report.outcome(of: onMain).isSucceeded)
  }

  @Test func aTaskLocalValueOfALayerReachesTheBody() async throws {
    let pond = Pond(
      "surrounded",
      around: { context, body in
        try await Span.$current.withValue(context.pebble) { try await body() }
      })
    let seed = pond.pebble("seed") { Span.current }
    let inputs = pond.pebble("inputs", .timeout(.seconds(5)), needs: seed) { ($0, Span.current) }

    let report = try await pond.run(clock: clock)

    #expect(report[inputs]?.0 == "seed")
    #expect(report[inputs]?.1 == "inputs")
  }

  private let pass: Around = { _, body in try await body() }

  private func noting(_ name: String, _ journal: Logbook<String>) -> Around {
    { _, body in
      journal.note("\(name)>")
      try await body()
      journal.note("<\(name)")
    }
  }
}

private enum Span {
  @TaskLocal static var current: String?
}
