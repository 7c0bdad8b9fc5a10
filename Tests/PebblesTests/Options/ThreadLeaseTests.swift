import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of the leases that give threads to blocking bodies.
@Suite(.watched) struct ThreadLeaseTests {
  private let clock = AlarmClock()

  @Test func whatWaitsForAThreadHasNotStarted() async throws {
    let pond = Pond("boot")
    let (holds, release) = (Gate(), BlockingGate())
    pond.pebble("first", .blocking, .priority(1)) {
      holds.open()
      release.passed()
    }
    let second = pond.pebble("second", .blocking, .timeout(.seconds(1))) {}

    let report = try await BlockingThreads.$shared.withValue(BlockingThreads(limit: 1)) {
      let run = try pond.start(clock: clock)
      await holds.passed()
      try await until { BlockingThreads.shared.waitingCount == 1 }
      // More than its timeout, none of which runs while it waits.
      clock.advance(by: .seconds(9))
      #expect(run.core.storage.state.status(of: 1) == .waiting)
      #expect(run.status.pebbles.last?.state.limits.map(\.kind) == [.blockingThreads])
      release.open()
      return try await run.report
    }

    #expect(report.succeeded(second))
    #expect(report.record(of: second)?.started == .seconds(9))
  }

  @Test func whatDoesNotWaitGetsAThreadBeyondTheLimitButNoneBeyondTheMost() {
    var admission = BlockingThreadAdmission(limit: 1, most: 2)

    let answers = (0..<3).map { _ in admission.addAtOnce(run: RunIdentifier()) }

    #expect(answers == [true, true, false])
    #expect(admission.threadCount == 2)
  }

  @Test func priorityCountsAmongThoseThatWait() async throws {
    let pond = Pond("boot")
    let order = Logbook<String>()
    let release = BlockingGate()
    let first = pond.pebble("first", .blocking) { release.passed() }
    _ = first
    for (name, priority) in [("low", -1), ("usual", 0), ("urgent", 5)] {
      pond.pebble(name, .blocking, .priority(priority), when: .always) { order.note(name) }
    }
    let threads = BlockingThreads(limit: 1)
    // Taken by another run, so that all four wait.
    let lease = try await threads.lease(for: RunIdentifier(), priority: 0)

    let report = try await BlockingThreads.$shared.withValue(threads) {
      let run = try pond.start()
      release.open()
      _ = try await run.report
      return try await run.report
    }
    lease?.end()

    #expect(report.isAllSucceeded)
    // The run had no thread, so the first that came got one beyond the limit.
    #expect(order.entries.last == "low" || order.entries.first == "low")
  }

  @Test func bodiesOfARunThatNeverReturnDoNotHoldUpAnother() async throws {
    let release = BlockingGate()
    let bad = Pond("bad")
    for number in 0..<4 { bad.pebble("stuck \(number)", .blocking) { release.passed() } }
    let good = Pond("good")
    let quick = good.pebble("quick", .blocking) { 1 }

    try await BlockingThreads.$shared.withValue(BlockingThreads(limit: 2)) {
      let run = try bad.start()
      // A run asks for one thread at a time.
      try await until { BlockingThreads.shared.waitingCount == 1 }
      #expect(try await good.run()[quick] == 1)
      run.cancel()
      release.open()
      _ = try await run.report
    }
  }

  @Test func whatWaitsForAThreadKeepsNoPlaceFromOthers() async throws {
    let pond = Pond("boot", maxConcurrent: 2)
    let (holds, release) = (Gate(), BlockingGate())
    pond.pebble("first", .blocking, .priority(1)) {
      holds.open()
      release.passed()
    }
    pond.pebble("second", .blocking) {}
    let quick = pond.pebble("quick", .priority(-1)) { release.open() }

    try await BlockingThreads.$shared.withValue(BlockingThreads(limit: 1)) {
      // Would never end if the second one, which waits for the thread of the first, had the other
      // place.
      let report = try await pond.run()
      #expect(report.isAllSucceeded)
      #expect(report.succeeded(quick))
    }
  }

  @Test func whatWaitsForAThreadKeepsNoKeyFromOthers() async throws {
    let pond = Pond("boot")
    let release = BlockingGate()
    let order = Logbook<String>()
    pond.pebble("first", .blocking, .priority(1)) { release.passed() }
    pond.pebble("second", .blocking, .exclusive("k")) { order.note("second") }
    let late = pond.pebble("late") {
      try await until { BlockingThreads.shared.waitingCount == 1 }
    }
    pond.pebble("urgent", .priority(100), .exclusive("k"), when: late.succeeded) {
      order.note("urgent")
      release.open()
    }

    try await BlockingThreads.$shared.withValue(BlockingThreads(limit: 1)) {
      let report = try await pond.run()
      #expect(report.isAllSucceeded)
      #expect(order.entries == ["urgent", "second"])
    }
  }

  @Test func aThreadThatComesWhenItsPebbleCannotStartGoesBack() async throws {
    let pond = Pond("boot", maxConcurrent: 1)
    let threads = BlockingThreads(limit: 1)
    let gate = Gate()
    let other = try await threads.lease(for: RunIdentifier(), priority: 0)
    let holds = try await threads.lease(for: RunIdentifier(), priority: 0)
    pond.pebble("blocks", .blocking) {}
    let plain = pond.pebble("plain", .priority(1)) { await gate.passed() }
    _ = plain

    let report = try await BlockingThreads.$shared.withValue(threads) {
      let run = try pond.start()
      try await until { run.core.storage.state.status(of: 1) == .running }
      // It could not start with one: the only place is taken.
      #expect(threads.waitingCount == 0)
      other?.end()
      holds?.end()
      gate.open()
      return try await run.report
    }

    #expect(report.isAllSucceeded)
    #expect(try await threads.lease(for: RunIdentifier(), priority: 0) != nil)
  }

  @Test func theThreadOfABodyThatWasGivenUpIsReplaced() async throws {
    let pond = Pond("boot")
    let release = BlockingGate()
    let stuck = pond.pebble("stuck", .blocking, .timeout(.seconds(1)), .priority(1)) {
      release.passed()
    }
    let next = pond.pebble("next", .blocking) { 1 }

    try await BlockingThreads.$shared.withValue(BlockingThreads(limit: 1)) {
      let run = try pond.start(clock: clock)
      try await until { BlockingThreads.shared.waitingCount == 1 }
      await clock.asleep(1)
      clock.advance(by: .seconds(1))
      let report = try await run.report
      #expect(report.failed(stuck))
      #expect(report[next] == 1)
      release.open()
      try await until { report.record(of: stuck)?.isStillRunning == false }
    }
  }

  @Test func whereAllThreadsAreLostBodiesFailWithASentence() async throws {
    let pond = Pond("boot")
    let (release, called) = (BlockingGate(), Logbook<Int>())
    let stuck = (0..<2).map { number in
      pond.pebble("stuck \(number)", .blocking, .timeout(.seconds(1))) {
        called.note(number)
        release.passed()
      }
    }
    let next = pond.pebble("next", .blocking, when: .all(stuck.map(\.failed))) {}

    try await BlockingThreads.$shared.withValue(BlockingThreads(limit: 2, most: 2)) {
      let run = try pond.start(clock: clock)
      await clock.asleep(2)
      try await until { called.count == 2 }
      clock.advance(by: .seconds(1))
      let report = try await run.report
      let error = try #require(report.outcome(of: next).error as? BlockingThreadShortage)
      #expect(error.threadCount == 2)
      #expect(
        "\(error)"
          == "no thread is left for it: 2 blocking bodies were abandoned and have not returned")
      release.open()
      try await until { report.records.allSatisfy { !$0.isStillRunning } }
    }
  }

  @Test func whereAllThreadsAreLostTeardownsAreCalledWithoutOne() async throws {
    let pond = Pond("boot")
    let (holds, isClosed, release) = (Gate(), Gate(), BlockingGate())
    let file = pond.pebble("file", .blocking, teardown: { isClosed.open() }) {}
    let stuck = pond.pebble("stuck", .blocking, .timeout(.seconds(1)), when: file.succeeded) {
      holds.open()
      release.passed()
    }

    try await BlockingThreads.$shared.withValue(BlockingThreads(limit: 1, most: 1)) {
      let run = try pond.start(clock: clock)
      await holds.passed()
      await clock.asleep(1)
      clock.advance(by: .seconds(1))
      let report = try await run.report
      #expect(report.failed(stuck))

      try await run.shutdown()

      #expect(isClosed.isOpen)
      #expect(report.shutdown?.failures.contains { $0.pebble == "file" } == false)
      release.open()
      try await until { report.record(of: stuck)?.isStillRunning == false }
    }
  }

  @Test func anAbandonedBodyThatReturnsHoldsNoThreadAnyMore() async throws {
    let threads = BlockingThreads(limit: 1, most: 2)
    let run = RunIdentifier()
    let first = try #require(try await threads.lease(for: run, priority: 0))
    first.abandon()
    let second = try #require(try await threads.lease(for: run, priority: 0))

    first.end(wasAbandoned: true)

    #expect(threads.withAdmission(\.abandonedCount) == 0)
    #expect(threads.withAdmission(\.heldCount) == 1)
    second.end()
    #expect(threads.withAdmission(\.threadCount) == 0)
  }

  @Test func aTeardownThatHasNoThreadWhenTheTimeIsOverIsCalledWithoutOne() async throws {
    let pond = Pond("boot")
    let (holds, isClosed, release) = (Gate(), Gate(), BlockingGate())
    pond.pebble("file", .blocking, teardown: { isClosed.open() }) {}
    let threads = BlockingThreads(limit: 1, most: 1)

    try await BlockingThreads.$shared.withValue(threads) {
      let run = try pond.start(clock: clock)
      _ = try await run.report
      // A body of another run blocks the only thread.
      let lease = try await threads.lease(for: RunIdentifier(), priority: 0)
      let other = Task {
        try await threads.call {
          holds.open()
          release.passed()
        }
      }
      defer { release.open() }
      await holds.passed()
      let shutdown = Task { try await run.shutdown(within: .seconds(2)) }
      await clock.asleep(1)
      #expect(threads.waitingCount == 1)
      clock.advance(by: .seconds(2))

      #expect(try await shutdown.value.failures.map(\.pebble) == ["file"])
      try await until { isClosed.isOpen }
      release.open()
      try await other.value
      lease?.end()
    }

    #expect(threads.withAdmission(\.heldCount) == 0)
  }

  @Test func noThreadIsLostWhereAttemptsAndTheirTimeoutsMeet() async throws {
    try await BlockingThreads.$shared.withValue(BlockingThreads(limit: 1)) {
      for _ in 0..<200 {
        let clock = AlarmClock()
        let pond = Pond("race")
        let attempts = Attempts(failing: 2)
        pond.pebble("retried", .blocking, .timeout(.seconds(5)), .retry(.attempts(4))) {
          _ = try attempts.next()
        }
        pond.pebble("other", .blocking, .timeout(.seconds(5))) {}
        try await pond.run(clock: clock, within: .seconds(9)).check()
      }
      // The only thread is there for the next one.
      let lease = try await BlockingThreads.shared.lease(for: RunIdentifier(), priority: 0)
      let other = Pond("last")
      let last = other.pebble("last", .blocking) { 1 }
      #expect(try await other.run()[last] == 1)
      lease?.end()
    }
  }

  @Test func waitingForAThreadEndsAtTheDeadline() async throws {
    let pond = Pond("boot")
    let blocked = pond.pebble("blocked", .blocking) {}
    let threads = BlockingThreads(limit: 1, most: 1)
    let lease = try await threads.lease(for: RunIdentifier(), priority: 0)
    let report = try await BlockingThreads.$shared.withValue(threads) {
      let run = try pond.start(clock: clock, within: .seconds(5))
      await clock.asleep(1)
      clock.advance(by: .seconds(5))
      return try await run.report
    }
    lease?.end()

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.outcome(of: blocked).skipReason == .cancelled)
    #expect(threads.waitingCount == 0)
  }

  @Test func theThreadOfAPebbleThatComesTooLateToStartGoesBack() async throws {
    let pond = Pond("boot")
    let grant = ManualGrant()
    let late = pond.pebble("late", .blocking) {}
    let threads = BlockingThreads(limit: 1)

    let report = try await BlockingThreads.$shared.withValue(threads) {
      let run = try pond.start(clock: clock, within: .seconds(1), holding: grant)
      await grant.wasAsked()
      await clock.asleep(1)
      clock.advance(by: .seconds(1))
      return try await run.report
    }
    grant.answer(nil)

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.outcome(of: late).skipReason == .cancelled)
    #expect(threads.withAdmission(\.heldCount) == 0)
  }

  @Test func aCancelledRunWaitsForNoThread() async throws {
    let pond = Pond("boot")
    let release = BlockingGate()
    pond.pebble("holder", .blocking, .priority(1)) { release.passed() }
    let next = pond.pebble("next", .blocking) {}

    try await BlockingThreads.$shared.withValue(BlockingThreads(limit: 1)) {
      let run = try pond.start()
      try await until { BlockingThreads.shared.waitingCount == 1 }
      run.cancel()
      try await until { BlockingThreads.shared.waitingCount == 0 }
      release.open()
      let report = try await run.report
      #expect(report.outcome(of: next).skipReason == .cancelled)
    }
  }
}

/// A gate that blocks a thread until it is opened.
private final class BlockingGate: Sendable {
  private let state = Monitor(false)

  func open() {
    state.withLock { $0 = true }
    state.notifyAll()
  }

  func passed() {
    while state.wait(atMost: .seconds(600), until: { $0 ? () : nil }, timeUp: { _ in }) == nil {}
  }
}
