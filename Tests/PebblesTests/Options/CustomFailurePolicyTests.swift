import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

@Suite(.watched) struct CustomFailurePolicyTests {
  @Test func thePolicyIsAskedOncePerFailureAndToldWhoFailedWithWhat() async throws {
    let asked = Logbook<String>()
    let pond = Pond(
      "custom",
      onFailure: .custom { failure in
        asked.note("\(failure.pebble): \(failure.error)")
        return .goOn
      })
    let first = pond.pebble("first") { throw Breakdown("no disk") }
    let second = pond.pebble("second", .retry(.attempts(3)), when: first.failed) {
      throw Breakdown("attempt \(PebbleContext.current?.attempt ?? 0)")
    }
    pond.pebble("third", when: second.failed) {}
    pond.pebble("fourth", when: second.succeeded) {}

    let report = try await pond.run()

    #expect(asked.entries == ["first: no disk", "second: attempt 3"])
    #expect(!report.isCancelled)
    #expect(report.word("third") == "succeeded")
  }

  @Test func thePolicyDecidesForEachFailureWhetherTheRunGoesOn() async throws {
    let pond = Pond("custom", onFailure: .custom { $0.error is Fatal ? .cancelAll : .goOn })
    let harmless = pond.pebble("harmless") { throw Breakdown() }
    let fatal = pond.pebble("fatal", when: harmless.failed) { throw Fatal() }
    // Cancelled even though somebody would have handled it: the policy has said so.
    pond.pebble("handler", when: fatal.failed) {}

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "fatal"))
    #expect(report.record(named: "handler")?.outcome.skipReason == .cancelled)
  }

  @Test func thePolicyIsToldIfTheFailureIsHandledAlready() async throws {
    let told = Logbook<Bool>()
    let pond = Pond(
      "custom",
      onFailure: .custom { failure in
        told.note(failure.mayBeHandled)
        return .goOn
      })
    let isServing = Gate()
    let primary = pond.pebble("primary") {}
    let secondary = pond.pebble("secondary") {
      await isServing.passed()
      throw Breakdown()
    }
    pond.pebble("serve", when: primary.succeeded || secondary.succeeded) { isServing.open() }

    let report = try await pond.run()

    #expect(told.entries == [true])
    #expect(report.unhandledFailures.isEmpty)
  }

  @Test func theFirstDecisionToCancelIsTheOneTold() async throws {
    let pond = Pond("custom", onFailure: .custom { _ in .cancelAll })
    let broken = Gate()
    pond.pebble("second") {
      broken.open()
      try await untilCancelled()
    }
    pond.pebble("first") {
      await broken.passed()
      throw Breakdown()
    }

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "first"))
    #expect(report.word("second") == "failed")
  }

  @Test func aTimeoutIsAFailureToDecideAbout() async throws {
    let clock = AlarmClock()
    let pond = Pond("custom", onFailure: .custom { $0.error is PebbleTimeout ? .cancelAll : .goOn })
    let slow = pond.pebble("slow", .timeout(.seconds(5))) { try await untilCancelled() }
    pond.pebble("handler", when: slow.failed) {}

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(5))

    #expect(try await run.report.cancellation == .failure(of: "slow"))
  }

  @Test func thePolicyMayUseTheRunItself() async throws {
    let known = Mutex<Run?>(nil)
    let isKnown = Gate()
    let pond = Pond(
      "custom",
      onFailure: .custom { _ in
        let run = known.withLock { $0 }
        #expect(run?.status.phase == .booting)
        run?.cancel()
        return .cancelAll
      })
    pond.pebble("broken") {
      await isKnown.passed()
      throw Breakdown()
    }

    let run = try pond.start()
    known.withLock { $0 = run }
    isKnown.open()

    #expect(try await run.report.cancellation == .requested)
    known.withLock { $0 = nil }
  }

  @Test func whatAFailedPebbleHeldIsFreeOnlyOnceThePolicyHasDecided() async throws {
    for _ in 0..<50 {
      let started = Logbook<String>()
      let pond = Pond(
        "careful",
        onFailure: .custom { _ in
          // Time enough for the runners that are busy with the others.
          for _ in 0..<2_000 where started.entries.isEmpty {}
          return .cancelAll
        })
      pond.pebble("broken", .exclusive("key")) { throw Breakdown() }
      for number in 0..<5 {
        pond.pebble("next \(number)", .exclusive("key")) { started.note("next \(number)") }
      }
      for number in 0..<30 { pond.pebble("other \(number)") { await Task.yield() } }

      let report = try await pond.run()

      #expect(report.cancellation == .failure(of: "broken"))
      #expect(started.entries == [])
    }
  }
}

private struct Fatal: Error {}
