import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of callers that wait, during the shutdown of a run, for an inner run that is shut down
/// later.
@Suite(.watched) struct InnerRunWaitTests {
  private let app = Pond("app")
  private let journal = Logbook<String>()

  /// A result of another run that a teardown can await.
  enum Wait: CaseIterable {
    case report, reportAfterShutdown, shutdown

    func callAsFunction(_ run: Run) async throws {
      switch self {
      case .report: _ = try await run.report
      case .reportAfterShutdown: _ = try await run.reportAfterShutdown()
      case .shutdown: try await run.shutdown().check()
      }
    }
  }

  /// Checks that a body may await several inner runs that are cancelled together with it. When the
  /// first of them is cancelled, the others have not been cancelled yet.
  @Test(arguments: [false, true])
  func severalThatAreCancelledWithTheBodyThatAwaitsThemAreAwaited(innermost: Bool) async throws {
    let started = Meeting(of: 3)
    let inner = Pond("inner")
    let body: @Sendable () async throws -> Void = {
      await started.attend()
      try await untilCancelled()
    }
    if innermost {
      let innermost = Pond("innermost")
      innermost.pebble("inside", body: body)
      inner.pebble("runs") { _ = try await innermost.run() }
    } else {
      inner.pebble("inside", body: body)
    }
    app.pebble("many") { [journal] in
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            do {
              _ = try await inner.run()
              journal.note("report")
            } catch {
              journal.note("\(error)")
            }
          }
        }
      }
    }
    let run = try app.start()
    await started.attendAsGuest()

    run.cancel()
    _ = try await run.report

    #expect(journal.entries == Array(repeating: "report", count: 3))
  }

  /// Checks that a body of a cancelled run cannot wait for the shutdown of a run inside it, because
  /// that run is shut down only after the body has ended.
  @Test func aBodyOfACancelledRunMayNotWaitForTheShutdownOfARunInsideOfIt() async throws {
    let inner = Pond.server("listener", journal)
    let waits = Gate()
    app.pebble("starts") { [journal] in
      let run = try inner.start()
      _ = try await run.report
      waits.open()
      do {
        _ = try await run.reportAfterShutdown()
      } catch {
        journal.note("\(type(of: error))")
      }
    }
    let run = try app.start()
    await waits.passed()
    for _ in 0..<20 { await Task.yield() }

    run.cancel()
    try await until { journal.entries.contains("PondError") }
    try await run.shutdown().check()

    #expect(journal.entries == ["listener up", "PondError", "listener asked", "listener gone"])
  }

  /// Checks that the teardown of `user` cannot wait for the run inside `starts`, which is shut down
  /// only after `user` has been torn down. The teardown can, however, shut down that run itself.
  @Test(arguments: Wait.allCases)
  func aTeardownMayNotWaitForARunThatIsShutDownAfterIt(_ wait: Wait) async throws {
    let starts = innerRun()
    app.pebble("user", needs: starts, teardown: { (run: Run) in try await wait(run) }) { $0 }
    let run = try app.start()
    _ = try await run.report

    let shutdown = try await run.shutdown()

    // What a shutdown was asked for by hand begins at once, whatever the order.
    #expect(shutdown.failures.map(\.pebble) == (wait == .shutdown ? [] : ["user"]))
    expectWaitsForItself(shutdown, unless: wait == .shutdown)
    #expect(journal.entries == ["inner ended"])
  }

  @Test(arguments: Wait.allCases)
  func aServiceThatIsAskedToStopMayNotEither(_ wait: Wait) async throws {
    let starts = innerRun()
    let waits = Gate()
    app.service("user", needs: starts) { [journal] ready, run in
      ready()
      if wait == .shutdown { await ready.stopRequested() } else { waits.open() }
      do { try await wait(run) } catch { journal.note("\(type(of: error))") }
    }
    let run = try app.start()
    _ = try await run.report
    if wait != .shutdown { await waits.passed() }
    for _ in 0..<20 { await Task.yield() }

    try await run.shutdown().check()

    let isTold = wait != .shutdown
    #expect(journal.entries == (isTold ? ["PondError"] : []) + ["inner ended"])
  }

  /// Checks that a pebble or service that a resuming run does not keep cannot wait for a run that
  /// is shut down after it. The pebbles that are not kept are torn down in the same order as in a
  /// shutdown.
  @Test(arguments: [Wait.report, .reportAfterShutdown], [false, true])
  func norMayOneThatIsNotKeptByARunThatResumes(_ wait: Wait, isService: Bool) async throws {
    let (flaky, waits) = (Attempts(failing: 1), Gate())
    let load = app.pebble("load") { _ = try flaky.next() }
    let starts = innerRun()
    starts.ready = load.failed
    if isService {
      app.service("user", needs: starts) { [journal] ready, run in
        ready()
        waits.open()
        do { try await wait(run) } catch { journal.note("\(type(of: error))") }
      }
    } else {
      waits.open()
      app.pebble(
        "user", needs: starts,
        teardown: { [journal] (run: Run) in
          do { try await wait(run) } catch { journal.note("\(type(of: error))") }
        }
      ) { $0 }
    }
    let first = try app.start()
    _ = try await first.report
    await waits.passed()
    for _ in 0..<20 { await Task.yield() }

    let second = try await first.resumed()
    let report = try await second.report

    #expect(report.succeeded(load) && report.skipped(starts))
    #expect(journal.entries == ["PondError", "inner ended"])
    try await second.shutdown().check()
  }

  @Test func norOneThatIsRestartedWithAnotherForWhatItHasStarted() async throws {
    let (calls, crash, waits) = (Attempts(failing: 0), Gate(), Gate())
    let inner = Pond("inner")
    inner.service("listener") { ready in
      ready()
      await ready.stopRequested()
    }
    let database = app.service("database", .ending(.restart(.attempts(2)))) {
      (ready: ServiceReady<Int>) in
      let call = try calls.next()
      ready(call)
      guard call == 1 else { return await ready.stopRequested() }
      await crash.passed()
      throw Breakdown()
    }
    app.service("user", .restartsWith(database), needs: database) { [journal] ready, call in
      let run = try inner.start()
      _ = try await run.report
      ready()
      waits.open()
      do {
        _ = try await run.reportAfterShutdown()
      } catch {
        journal.note("\(type(of: error)) in call \(call)")
      }
    }
    let run = try app.start()
    _ = try await run.report
    await waits.passed()
    for _ in 0..<20 { await Task.yield() }

    crash.open()
    try await until { calls.count == 2 && run.core.life.read { $0.isServiceUp(1) } }
    #expect(journal.entries == ["PondError in call 1"])
    try await run.shutdown().check()

    #expect(journal.entries == ["PondError in call 1", "PondError in call 2"])
  }

  @Test func norForARunInsideOfSuchARun() async throws {
    let (inner, deep) = (Pond("inner"), Pond("deep"))
    deep.service("listener") { ready in
      ready()
      await ready.stopRequested()
    }
    let startsDeep = inner.pebble("starts deep") { try deep.start() }
    let starts = app.pebble("starts") {
      let report = try await inner.start().report
      return try report.value(of: startsDeep)
    }
    app.pebble(
      "user", needs: starts,
      teardown: { (run: Run) in _ = try await run.reportAfterShutdown() }
    ) { $0 }
    let run = try app.start()
    _ = try await run.report

    expectWaitsForItself(try await run.shutdown())
  }

  @Test func norForOneThatComesAfterOthersThatComeAfterIt() async throws {
    let known = Promise<Run>()
    let starts = innerRun()
    let middle = app.pebble("middle", when: starts.succeeded, teardown: {}) {}
    app.pebble(
      "user", when: middle.succeeded,
      teardown: { _ = try await known.value().reportAfterShutdown() }
    ) {}
    let run = try app.start()
    known.fulfill(try #require(try await run.report[starts]))

    let shutdown = try await run.shutdown()

    #expect(shutdown.failures.map(\.pebble) == ["user"])
    expectWaitsForItself(shutdown)
  }

  @Test func norThroughARunThatBelongsToNobody() async throws {
    let starts = innerRun()
    app.pebble(
      "user", needs: starts,
      teardown: { (run: Run) in
        let other = Pond("other")
        other.pebble("waits") { _ = try await run.reportAfterShutdown() }
        try await other.run(detached: true).check()
      }
    ) { $0 }
    let run = try app.start()
    _ = try await run.report

    let shutdown = try await run.shutdown()

    #expect(shutdown.failures.map(\.pebble) == ["user"])
    #expect(shutdown.failures.first?.error is RunFailed)
    #expect(journal.entries == ["inner ended"])
  }

  @Test func aTeardownMayWaitForTheEndOfARunThatItHasStartedItself() async throws {
    let (cleanup, deep) = (Pond("cleanup"), Pond("deep"))
    let mayEnd = Gate()
    deep.pebble("sweeps") { await mayEnd.passed() }
    cleanup.pebble("runs deep") { try await deep.run().check() }
    app.pebble(
      "user",
      teardown: { [journal] in
        let run = try cleanup.start()
        Task {
          for _ in 0..<100 { await Task.yield() }
          mayEnd.open()
        }
        try await run.report.check()
        journal.note("cleaned up")
      }
    ) {}
    let run = try app.start()
    _ = try await run.report

    try await run.shutdown().check()

    #expect(journal.entries == ["cleaned up"])
  }

  /// Checks that a teardown may wait for the run inside `starts`, which is torn down at the same
  /// time.
  @Test func forOneThatDoesNotComeAfterItATeardownMayWait() async throws {
    let known = Promise<Run>()
    let starts = innerRun()
    app.pebble("user", teardown: { _ = try await known.value().reportAfterShutdown() }) {}
    let run = try app.start()
    known.fulfill(try #require(try await run.report[starts]))

    try await run.shutdown().check()

    #expect(journal.entries == ["inner ended"])
  }

  /// Returns a pebble whose body runs another pond until it is cancelled.
  private func innerRun() -> Pebble<Run> {
    let inner = Pond("inner")
    let (isUp, journal) = (Gate(), journal)
    inner.pebble("waits") {
      isUp.open()
      try? await untilCancelled()
      journal.note("inner ended")
    }
    return app.pebble("starts") {
      let run = try inner.start()
      await isUp.passed()
      return run
    }
  }

  private func expectWaitsForItself(_ shutdown: ShutdownReport, unless isWell: Bool = false) {
    let faults = shutdown.failures.compactMap { ($0.error as? PondError)?.faults }
    #expect(faults == (isWell ? [] : [[.waitsForItself]]))
  }
}
