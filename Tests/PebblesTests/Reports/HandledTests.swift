import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the rule for handled failures. A failure is handled by the pebbles that read it, and by
/// those that read a pebble that was skipped because of it.
@Suite(.watched) struct HandledTests {
  private let pond = Pond("boot")
  private let fetch: Pebble<Void>
  private let store: Pebble<Void>

  init() {
    fetch = pond.pebble("fetch") { throw Breakdown() }
    store = pond.pebble("store", when: fetch.succeeded) {}
  }

  @Test func readerOfASkipHandlesTheFailureBehindIt() async throws {
    #expect(try await unhandled == ["fetch"])

    pond.pebble("offline", when: store.skipped) {}
    #expect(try await unhandled == [])
  }

  @Test func failureIsHandedOnOverAnyNumberOfSkips() async throws {
    var last = store
    for number in 0..<1_000 { last = pond.pebble("\(number)", when: last.succeeded) {} }
    #expect(try await unhandled == ["fetch"])

    pond.pebble("offline", when: !last.succeeded) {}
    #expect(try await unhandled == [])
  }

  @Test func whatIsSkippedAsACaseDoesNotHoldHandsOn() async throws {
    let locked = fetch.failed("locked") { _ in false }
    let unlock = pond.pebble("unlock", when: locked) {}
    #expect(try await unhandled == ["fetch"])

    pond.pebble("offline", when: unlock.skipped) {}
    #expect(try await unhandled == [])
  }

  @Test func whatIsSkippedThoughACaseHoldsDoesNotHandOn() async throws {
    let other = pond.pebble("other") {}
    let locked = fetch.failed("locked") { _ in true }
    let unlock = pond.pebble("unlock", when: locked && other.failed) {}
    pond.pebble("offline", when: unlock.skipped) {}

    #expect(try await unhandled == ["fetch"])
  }

  @Test func oneOfTwoMirrorsMayFail() async throws {
    let secondary = pond.pebble("secondary") {}
    pond.pebble("serve", when: fetch.succeeded || secondary.succeeded) {}

    #expect(try await unhandled == [])
  }

  @Test func ifBothMirrorsFailNeitherIsHandled() async throws {
    let secondary = pond.pebble("secondary") { throw Breakdown() }
    pond.pebble("serve", when: fetch.succeeded || secondary.succeeded) {}

    #expect(try await unhandled == ["fetch", "secondary"])
  }

  @Test func pebbleSkippedForAnotherReasonDoesNotHandOn() async throws {
    let other = pond.pebble("other") {}
    let mend = pond.pebble("mend", when: fetch.failed && other.failed) {}
    pond.pebble("after", when: mend.skipped) {}

    #expect(try await unhandled == ["fetch"])
  }

  @Test func pebbleSkippedForSeveralReasonsHandsOnEach() async throws {
    let second = pond.pebble("second") { throw Breakdown() }
    let both = pond.pebble("both", when: fetch.succeeded && second.succeeded) {}
    pond.pebble("offline", when: both.skipped) {}

    #expect(try await unhandled == [])
  }

  @Test func disabledPebbleDoesNotHandOn() async throws {
    let report = pond.pebble("report", .enabled { false }, when: fetch.succeeded) {}
    pond.pebble("after", when: report.skipped) {}

    #expect(try await unhandled == ["fetch"])
  }

  @Test func stalledPebbleHandsOn() async throws {
    let one = pond.pebble("one") {}
    let other = pond.pebble("other", when: one.succeeded) {}
    one.ready = fetch.succeeded || other.succeeded
    #expect(try await unhandled == ["fetch"])

    pond.pebble("offline", when: other.skipped) {}
    #expect(try await unhandled == [])
  }

  @Test func handlerThatRanBeforeTheFailureIsOneToo() async throws {
    let isOver = Gate()
    let pond = Pond("order")
    let late = pond.pebble("late") {
      await isOver.passed()
      throw Breakdown()
    }
    let quick = pond.pebble("quick") {}
    pond.pebble("before", when: late.failed || quick.succeeded) { isOver.open() }

    #expect(try await pond.run().unhandledFailures.isEmpty)
  }

  private var unhandled: [String] {
    get async throws { try await pond.run().unhandledFailures.map(\.name) }
  }
}

/// Tests of the rule for handled failures under the policy that cancels the run.
@Suite(.watched) struct HandledByPolicyTests {
  private let pond = Pond("boot", onFailure: .cancelAll)

  @Test func fallbackIsNotCancelledByTheFailureItIsThereFor() async throws {
    let isSettled = Gate()
    let primary = pond.pebble("primary", .exclusive("key")) { throw Breakdown() }
    pond.pebble("proof", .exclusive("key")) { isSettled.open() }
    let secondary = pond.pebble("secondary") { await isSettled.passed() }
    let serve = pond.pebble("serve", when: primary.succeeded || secondary.succeeded) {}

    let report = try await pond.run()

    #expect(!report.isCancelled)
    #expect(report.outcome(of: serve).isSucceeded)
    try report.check()
  }

  @Test func screenBehindASkipIsShown() async throws {
    let fetch = pond.pebble("fetch") { throw Breakdown() }
    let index = pond.pebble("index", when: fetch.succeeded) {}
    pond.pebble("online", when: index.succeeded) {}
    let offline = pond.pebble("offline", when: !index.succeeded) {}

    let report = try await pond.run()

    #expect(!report.isCancelled)
    #expect(report.outcome(of: offline).isSucceeded)
  }

  @Test func runIsCancelledOnceTheLastThatCouldHandleIsSkipped() async throws {
    let isSettled = Gate()
    let broken = pond.pebble("broken", .exclusive("key")) { throw Breakdown() }
    pond.pebble("proof", .exclusive("key")) { isSettled.open() }
    let slow = pond.pebble("slow") { await isSettled.passed() }
    let index = pond.pebble("index", when: broken.succeeded) {}
    pond.pebble("offline", when: index.skipped && slow.failed) {}
    let next = pond.pebble("next", when: slow.succeeded) {}

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "broken"))
    #expect(report.outcome(of: slow).isSucceeded)
    #expect(report.outcome(of: next).skipReason == .cancelled)
  }

  @Test func manyFailuresThatAreHandedOnByTheSameSkipsAreLookedAtOnce() async throws {
    let broken = (0..<5_000).map { number in
      pond.pebble("broken \(number)") { throw Breakdown() }
    }
    var last = pond.pebble("index", when: .all(broken.map(\.succeeded))) {}
    for number in 0..<5_000 { last = pond.pebble("\(number)", when: last.succeeded) {} }
    let end = pond.pebble("end") {}
    let offline = pond.pebble("offline", when: last.skipped && end.settled) {}

    let report = try await pond.run()

    #expect(!report.isCancelled)
    #expect(report.outcome(of: offline).isSucceeded)
    #expect(report.unhandledFailures.isEmpty)
  }

  @Test func customPolicyIsToldWhetherAFailureMayBeHandled() async throws {
    let told = Logbook<String>()
    let pond = Pond(
      "custom",
      onFailure: .custom { failure in
        told.note("\(failure.pebble): \(failure.mayBeHandled)")
        return .goOn
      })
    let first = pond.pebble("first") { throw Breakdown() }
    let index = pond.pebble("index", when: first.succeeded) {}
    let second = pond.pebble("second", when: index.skipped) { throw Breakdown() }
    pond.pebble("third", when: second.succeeded) {}

    try await #expect(!pond.run().isCancelled)

    #expect(told.entries == ["first: true", "second: false"])
  }

  @Test(arguments: [true, false])
  func customPolicyMayLeaveAFailureToWhoHandlesIt(isHandled: Bool) async throws {
    let pond = Pond("custom", onFailure: .custom { _ in .cancelUnlessHandled })
    let isSettled = Gate()
    let broken = pond.pebble("broken", .exclusive("key")) { throw Breakdown() }
    pond.pebble("proof", .exclusive("key")) { isSettled.open() }
    let slow = pond.pebble("slow") { await isSettled.passed() }
    pond.pebble("handler", when: broken.failed && (isHandled ? slow.succeeded : slow.failed)) {}
    let next = pond.pebble("next", when: slow.succeeded) {}

    let report = try await pond.run()

    #expect(report.cancellation == (isHandled ? nil : .failure(of: "broken")))
    #expect(report.outcome(of: next).isSucceeded == isHandled)
  }
}
