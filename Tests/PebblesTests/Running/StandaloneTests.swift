import PebblesTestSupport
import Synchronization
import Testing

// Not testable: this is what tests of users do.
import Pebbles

/// Tests that the values that a run passes to bodies and closures can be created without a run.
@Suite(.watched) struct StandaloneTests {
  private typealias Calls = Logbook<String>

  private func completion(_ calls: Calls) -> Completion {
    Completion { outcome in
      switch outcome {
      case .success: calls.note("succeeded")
      case .failure(let error): calls.note("\(error)")
      }
    }
  }

  @Test func aCompletionTellsItsFirstCallOnly() {
    let calls = Calls()
    do {
      let complete = completion(calls)

      complete.fail(Breakdown("no route"))
      complete(true)
      complete(false)
    }

    #expect(calls.entries == ["\(Breakdown("no route"))"])
  }

  @Test func aCompletionThatIsDroppedIsAbandonedOnce() {
    let calls = Calls()
    do {
      let complete = completion(calls)
      withExtendedLifetime(complete) {}
      #expect(calls.entries.isEmpty)
    }

    #expect(calls.entries == ["\(CompletionError.abandoned)"])
  }

  @Test(arguments: [(true, "succeeded"), (false, "\(CompletionError.reportedFailure)")])
  func aCompletionTellsWhetherItSucceeded(succeeded: Bool, expected: String) {
    let calls = Calls()

    completion(calls)(succeeded)

    #expect(calls.entries == [expected])
  }

  @Test func aCompletionCanBeWaitedFor() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let complete = Completion { continuation.resume(with: $0) }
      Task.detached { complete.succeed() }
    }
    await #expect(throws: CompletionError.abandoned) {
      try await withCheckedThrowingContinuation { continuation in
        _ = Completion { continuation.resume(with: $0) }
      }
    }
  }

  @Test func aCompletionOfATestMayBeCalledWithinItsOwnCall() {
    let calls = Calls()
    let again = Mutex<Completion?>(nil)
    let complete = Completion { _ in
      calls.note("told")
      again.withLock { $0 }?(true)
    }
    again.withLock { $0 = complete }

    complete(true)
    again.withLock { $0 = nil }

    #expect(calls.entries == ["told"])
  }

  @Test func readinessIsToldOnceHoweverOftenItIsSaid() {
    let calls = Calls()
    let ready = ServiceReady<Void> { calls.note("ready") }
    let copy = ready

    #expect(calls.entries.isEmpty)
    ready()
    copy()

    #expect(calls.entries == ["ready"])
  }

  @Test func aroundIsCalledWithAContextOfItsOwn() async throws {
    let calls = Calls()
    let around: Around = { context, body in
      calls.note("\(context.pond)/\(context.pebble) \(context.attempt)")
      try await body()
    }
    let run = RunIdentifier()
    let context = PebbleContext(pond: "boot", pebble: "load", attempt: 2, runIdentifier: run)

    try await around(context) { calls.note("body") }
    try await around(PebbleContext(pond: "boot", pebble: "show")) {}

    #expect(calls.entries == ["boot/load 2", "body", "boot/show 1"])
    #expect(context.runIdentifier == run)
    #expect(context == PebbleContext(pond: "boot", pebble: "load", attempt: 2, runIdentifier: run))
    #expect(context != PebbleContext(pond: "boot", pebble: "load", attempt: 2))
  }

  @Test func aFailureCanBeDecidedAbout() {
    let decide: @Sendable (PebbleFailure) -> FailureDecision = { failure in
      failure.error is Breakdown && failure.pebble == "load" ? .cancelAll : .goOn
    }

    #expect(decide(PebbleFailure(pebble: "load", error: Breakdown())) == .cancelAll)
    #expect(decide(PebbleFailure(pebble: "show", error: Breakdown())) == .goOn)
    #expect(decide(PebbleFailure(pebble: "load", error: CancellationError())) == .goOn)
  }
}
