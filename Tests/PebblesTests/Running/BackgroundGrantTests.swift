import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of runs that hold permission to continue in the background.
@Suite(.watched) struct BackgroundGrantTests {
  private let pond = Pond("boot")
  private let grant = ManualGrant()

  @Test func theGrantIsHeldWhileTheRunLasts() async throws {
    let pebble = pond.pebble("pebble") { [grant] in
      #expect(grant.names.entries == ["boot"])
      return grant.ended.count
    }
    grant.answer(7)

    let report = try await pond.run(holding: grant)

    #expect(report[pebble] == 0)
    #expect(grant.ended.entries == [7])
    #expect(grant.names.count == 1)
  }

  @Test func nothingStartsBeforeTheGrantHasAnswered() async throws {
    let started = Gate()
    pond.pebble("pebble") { started.open() }

    let run = try pond.start(holding: grant)
    await grant.wasAsked()
    #expect(!started.isOpen)
    #expect(run.status.phase == .booting)
    grant.answer(7)

    #expect(try await run.report.isAllSucceeded)
    #expect(grant.ended.entries == [7])
  }

  @Test func aRefusalIsNoFailure() async throws {
    pond.pebble("pebble") {}
    grant.answer(nil)

    let report = try await pond.run(holding: grant)
    grant.expire()

    #expect(report.isAllSucceeded)
    #expect(!report.isCancelled)
    #expect(grant.ended.count == 0)
  }

  @Test func expiryCancelsTheRunAndIsInTheReport() async throws {
    let started = Gate()
    let slow = pond.pebble("slow") {
      started.open()
      try await untilCancelled()
    }
    let after = pond.pebble("after", when: slow.settled) {}
    grant.answer(7)
    let run = try pond.start(holding: grant)
    await started.passed()

    grant.expire()
    #expect(grant.ended.entries == [7])
    grant.expire()
    let report = try await run.report

    #expect(report.cancellation == .backgroundTimeExpired)
    #expect(report.cancellation?.description == "its time in the background expired")
    #expect(report.outcome(of: slow).error is CancellationError)
    #expect(report.outcome(of: after).skipReason == .cancelled)
    #expect(grant.ended.entries == [7])
  }

  @Test(arguments: [7, nil])
  func expiryBeforeTheAnswerLetsNothingStart(_ token: Int?) async throws {
    pond.pebble("pebble") { Issue.record("started without permission") }
    let grant = ManualGrant(expiresAtOnce: true)
    let run = try pond.start(holding: grant)
    await grant.wasAsked()

    grant.answer(token)
    let report = try await run.report

    #expect(report.cancellation == .backgroundTimeExpired)
    #expect(report.word("pebble") == "skipped")
    // It may come when the run is over.
    if let token { try await until { grant.ended.entries == [token] } }
    #expect(grant.ended.entries == [token].compactMap(\.self))
  }

  @Test func aRunCancelledBeforeTheAnswerReturnsTheToken() async throws {
    pond.pebble("pebble") { Issue.record("started after a cancellation") }
    let run = try pond.start(holding: grant)
    await grant.wasAsked()

    run.cancel()
    grant.answer(7)
    let report = try await run.report

    #expect(report.cancellation == .requested)
    #expect(grant.ended.entries == [7])
  }

  @Test func expiryAfterAnotherCancellationChangesNothing() async throws {
    let (started, gate) = (Gate(), Gate())
    pond.pebble("stubborn") {
      started.open()
      await gate.passed()
    }
    grant.answer(7)
    let run = try pond.start(holding: grant)
    await started.passed()

    run.cancel()
    grant.expire()
    gate.open()

    #expect(try await run.report.cancellation == .requested)
    #expect(grant.ended.entries == [7])
  }

  @Test func expiryAfterTheEndChangesNothing() async throws {
    pond.pebble("pebble", teardown: {}) {}
    grant.answer(7)
    let run = try pond.start(holding: grant)
    _ = try await run.report

    grant.expire()

    #expect(try await !run.report.isCancelled)
    #expect(run.status.phase == .over)
    #expect(grant.ended.entries == [7])
  }

  @Test func aCancelledRunHoldsTheGrantUntilItIsTornDown() async throws {
    let started = Gate()
    let counts = Logbook<Int>()
    let database = pond.pebble("database", teardown: { [grant] in counts.note(grant.ended.count) })
    {}
    pond.pebble("slow", when: database.succeeded) {
      started.open()
      try await untilCancelled()
    }
    grant.answer(7)
    let run = try pond.start(holding: grant)
    await started.passed()

    run.cancel()
    _ = try await run.report

    #expect(counts.entries == [0])
    #expect(grant.ended.entries == [7])
  }

  @Test func anExpiredRunIsTornDown() async throws {
    let (started, undone) = (Gate(), Gate())
    let database = pond.pebble("database", teardown: { undone.open() }) {}
    pond.pebble("slow", when: database.succeeded) {
      started.open()
      try await untilCancelled()
    }
    grant.answer(7)
    let run = try pond.start(holding: grant)
    await started.passed()

    grant.expire()
    let report = try await run.report

    #expect(undone.isOpen)
    #expect(report.shutdown?.failures.isEmpty == true)
  }

  @Test func aPondThatCannotRunAsksForNothing() async throws {
    pond.pebble("") {}

    await #expect(throws: PondError.self) { try await pond.run(holding: grant) }
    #expect(throws: PondError.self) { try pond.start(holding: grant) }

    #expect(grant.names.count == 0)
  }

  @Test func anEmptyPondReturnsTheGrantAsWell() async throws {
    grant.answer(7)

    _ = try await pond.run(holding: grant)

    #expect(grant.ended.entries == [7])
  }

  @Test func expiryAndTheEndMayMeet() async throws {
    for round in 0..<500 {
      let pond = Pond("round \(round)")
      let grant = ManualGrant()
      let pebble = pond.pebble("pebble") { await Task.yield() }
      let run = try pond.start(holding: grant)

      await withTaskGroup { group in
        group.addTask { grant.answer(round) }
        group.addTask { grant.expire() }
        group.addTask { run.cancel() }
      }
      let report = try await run.report
      // A run that is cancelled does not wait for the answer, which may come after its end. It does
      // not ask at all if it is cancelled before it has asked.
      try await until { grant.ended.count == grant.names.count }

      #expect(grant.ended.entries.allSatisfy { $0 == round })
      #expect(grant.ended.count <= 1)
      #expect(report.outcome(of: pebble).isSucceeded || report.isCancelled)
    }
  }
}
