import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of failures whose handlers are skipped later. The run must be cancelled at that time, and
/// not before.
@Suite(.watched) struct LateHandlerTests {
  private let pond = Pond("careful", onFailure: .cancelAll)
  private let proof = Gate()

  /// Adds a pebble that fails at once, and a second pebble that opens the gate `proof`. The second
  /// one needs the same key, so it starts only after the failure policy has been called for the
  /// failure, but its condition does not read the failure.
  private func addFailureWithProof() -> Pebble<Void> {
    let broken = pond.pebble("broken", .exclusive("key")) { throw Breakdown() }
    pond.pebble("proof", .exclusive("key")) { [proof] in proof.open() }
    return broken
  }

  @Test func aHandlerWhoseConditionBecomesFalseLeavesTheFailureUnhandled() async throws {
    let broken = addFailureWithProof()
    let slow = pond.pebble("slow") { [proof] in await proof.passed() }
    pond.pebble("handler", when: broken.failed && slow.failed) {}
    pond.pebble("next", when: slow.succeeded) {}

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "broken"))
    #expect(report.word("proof") == "succeeded")
    #expect(report.word("slow") == "succeeded")
    #expect(report.record(named: "next")?.outcome.skipReason == .cancelled)
  }

  @Test func theFirstOfTheFailuresIsNamed() async throws {
    let broken = addFailureWithProof()
    let slow = pond.pebble("slow") { [proof] in
      await proof.passed()
      throw Breakdown()
    }
    // Once `slow` has failed both failures have nobody.
    pond.pebble("handler", when: broken.failed && slow.succeeded) {}

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "broken"))
  }

  /// Tests two failures, each with its own handler. Both handlers are skipped when the same body
  /// ends, in either order.
  @Test(arguments: [false, true])
  func theFirstIsNamedInWhicheverOrderTheHandlersAreSkipped(isReversed: Bool) async throws {
    let broken = addFailureWithProof()
    let secondProof = Gate()
    let second = pond.pebble("second", .exclusive("second key")) { [proof] in
      await proof.passed()
      throw Breakdown()
    }
    pond.pebble("second proof", .exclusive("second key")) { secondProof.open() }
    let slow = pond.pebble("slow") { await secondProof.passed() }
    let failing: [Pebble<Void>] = isReversed ? [second, broken] : [broken, second]
    for (number, failure) in failing.enumerated() {
      pond.pebble("handler \(number)", when: failure.failed && slow.failed) {}
    }

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "broken"))
    #expect(report.word("slow") == "succeeded")
  }

  @Test func handlersMayBeSkippedOneAfterTheOther() async throws {
    let broken = addFailureWithProof()
    let first = pond.pebble("first") { [proof] in await proof.passed() }
    let second = pond.pebble("second", when: first.succeeded) {}
    let third = pond.pebble("third", when: second.succeeded) {}
    for (number, step) in [first, second, third].enumerated() {
      pond.pebble("handler \(number)", when: broken.failed && step.failed) {}
    }
    pond.pebble("next", when: third.succeeded) {}

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "broken"))
    #expect(report.word("third") == "succeeded")
    #expect(report.record(named: "next")?.outcome.skipReason == .cancelled)
  }

  @Test func oneHandlerThatRunsIsEnough() async throws {
    let broken = addFailureWithProof()
    let slow = pond.pebble("slow") { [proof] in await proof.passed() }
    pond.pebble("skipped handler", when: broken.failed && slow.failed) {}
    pond.pebble("handler", when: broken.failed && slow.succeeded) {}

    let report = try await pond.run()

    #expect(!report.isCancelled)
    #expect(report.word("handler") == "succeeded")
  }

  @Test func aHandlerSkippedInAStallLeavesTheFailureUnhandled() async throws {
    let broken = addFailureWithProof()
    let handler = pond.pebble("handler") {}
    let other = pond.pebble("other", when: handler.succeeded) {}
    handler.ready = broken.failed && other.succeeded
    let beside = pond.pebble("beside") {}
    let lateStall = pond.pebble("late stall") {}
    let partner = pond.pebble("partner", when: lateStall.succeeded) {}
    lateStall.ready = beside.succeeded && partner.succeeded
    let afterStall = pond.pebble("after the stall", when: partner.skipped) {}

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "broken"))
    #expect(report.outcome(of: handler).skipReason == .stalled(waitingOn: ["other"]))
    #expect(report.outcome(of: afterStall).skipReason == .cancelled)
  }

  @Test func aHandlerSkippedByAnotherPartOfItsConditionLeavesTheFailureUnhandled() async throws {
    let broken = addFailureWithProof()
    let slow = pond.pebble("slow") { [proof] in await proof.passed() }
    let handler = pond.pebble("handler", when: broken.failed && !slow.succeeded) {}
    let next = pond.pebble("next", when: slow.succeeded) {}

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "broken"))
    #expect(report.outcome(of: handler).isSkipped)
    #expect(report.outcome(of: next).skipReason == .cancelled)
  }

  @Test func aDisabledHandlerIsNone() async throws {
    let broken = pond.pebble("broken") { throw Breakdown() }
    pond.pebble("handler", .enabled { false }, when: broken.failed) {}

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "broken"))
  }

  @Test func aFailureAndTheEndOfItsLastHandlerMayMeet() async throws {
    for _ in 0..<1_000 {
      let pond = Pond("careful", onFailure: .cancelAll)
      let both = Meeting(of: 2)
      let broken = pond.pebble("broken") {
        await both.attend()
        throw Breakdown()
      }
      let fine = pond.pebble("fine") { await both.attend() }
      pond.pebble("handler", when: broken.failed && fine.failed) {}
      pond.pebble("reader", when: fine.failed && broken.completed) {}

      let report = try await pond.run()

      #expect(report.cancellation == .failure(of: "broken"))
    }
  }
}
