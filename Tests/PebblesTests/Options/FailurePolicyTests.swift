import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct FailurePolicyTests {
  private let pond = Pond("careful", onFailure: .cancelAll)

  @Test func byDefaultAFailureIsLeftToConditions() async throws {
    let pond = Pond("careless")
    let broken = pond.pebble("broken") { throw Breakdown() }
    pond.pebble("other", when: broken.settled) {}

    let report = try await pond.run()

    #expect(!report.isCancelled)
    #expect(report.word("other") == "succeeded")
  }

  @Test func aFailureNobodyHandlesCancelsTheRestAndIsNamed() async throws {
    let running = Gate()
    let endless = pond.pebble("endless") {
      running.open()
      try await untilCancelled()
    }
    let broken = pond.pebble("broken") {
      await running.passed()
      throw Breakdown("no disk")
    }
    let next = pond.pebble("next", when: endless.settled) {}

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "broken"))
    #expect(report.outcome(of: broken).error as? Breakdown == Breakdown("no disk"))
    #expect(report.outcome(of: endless).error is CancellationError)
    #expect(report.outcome(of: next).skipReason == .cancelled)
    #expect(report.unhandledFailures.map(\.name).contains("broken"))
    #expect(report.description.hasPrefix("careful: 2 failed, 1 cancelled in "))
    #expect(report.description.contains(", cancelled: broken failed\n"))
  }

  @Test func theLastThingToHappenMayBeTheFailure() async throws {
    pond.pebble("only") { throw Breakdown() }

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "only"))
  }

  @Test(arguments: Handler.allCases)
  func aFailureThatSomebodyHandlesCancelsNothing(handler: Handler) async throws {
    let broken = pond.pebble("broken") { () async throws -> Int in throw Breakdown() }
    handler.add(to: pond, handling: broken)

    let report = try await pond.run()

    #expect(!report.isCancelled)
    #expect(report.word("handler") == "succeeded")
    #expect(report.unhandledFailures.isEmpty)
  }

  @Test func aHandlerThatFailsHasHandledButIsAFailureItself() async throws {
    let broken = pond.pebble("broken") { throw Breakdown() }
    pond.pebble("handler", when: broken.failed) { throw Breakdown() }

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "handler"))
    #expect(report.unhandledFailures.map(\.name) == ["handler"])
  }

  @Test func onlyTheLastAttemptIsAFailureOfThePebble() async throws {
    let flaky = pond.pebble("flaky", .retry(.attempts(3))) {
      if PebbleContext.current?.attempt != 3 { throw Breakdown() }
    }
    pond.pebble("next", when: flaky.succeeded) {}

    let report = try await pond.run()

    #expect(!report.isCancelled)
    #expect(report.isAllSucceeded)
  }

  @Test func aFailureMayWaitForAHandlerThatIsStillToRun() async throws {
    let proof = Gate()
    let broken = pond.pebble("broken") { throw Breakdown() }
    let slow = pond.pebble("slow") { await proof.passed() }
    // Starts only after the failure, so it proves that this did not cancel.
    pond.pebble("proof", when: !broken.succeeded) { proof.open() }
    pond.pebble("handler", when: broken.failed && slow.succeeded) {}

    let report = try await pond.run()

    #expect(!report.isCancelled)
    #expect(report.word("handler") == "succeeded")
  }

  @Test func aRunThatIsCancelledOtherwiseSaysThat() async throws {
    let started = Gate()
    pond.pebble("endless") {
      started.open()
      try await untilCancelled()
    }
    let run = try pond.start()
    await started.passed()

    run.cancel()

    #expect(try await run.report.cancellation == .requested)
  }

  @Test func cancellingAfterTheEndChangesNothing() async throws {
    pond.pebble("only") {}
    let run = try pond.start()
    _ = try await run.report

    run.cancel()

    #expect(try await !run.report.isCancelled)
    #expect(run.status.phase == .over)
  }

  @Test func manyFailuresWithOneHandlerTakeNoLongerThanOthers() async throws {
    let broken = (0..<10_000).map { number in
      pond.pebble("broken \(number)") { throw Breakdown() }
    }
    let last = pond.pebble("last", when: .all(broken.map(\.failed))) {}

    let report = try await pond.run()

    #expect(!report.isCancelled)
    #expect(report.outcome(of: last).isSucceeded)
  }
}

/// A way to read a failure in a condition.
enum Handler: CaseIterable {
  case failed, completed, settled, notSucceeded, nested, result, optional, anotherRan

  func add(to pond: Pond, handling broken: Pebble<Int>) {
    switch self {
    case .failed: pond.pebble("handler", when: broken.failed) {}
    case .completed: pond.pebble("handler", when: broken.completed) {}
    case .settled: pond.pebble("handler", when: broken.settled) {}
    case .notSucceeded: pond.pebble("handler", when: !broken.succeeded) {}
    case .nested:
      let never = pond.pebble("never", when: .never) {}
      pond.pebble("handler", when: never.succeeded || (never.skipped && broken.failed)) {}
    case .result: pond.pebble("handler", needs: broken.result) { _ in }
    case .optional: pond.pebble("handler", needs: broken.optional) { _ in }
    case .anotherRan:
      let skipped = pond.pebble("skipped", when: broken.succeeded) {}
      pond.pebble("unneeded", when: broken.failed && skipped.succeeded) {}
      pond.pebble("handler", when: broken.failed && skipped.skipped) {}
    }
  }
}
