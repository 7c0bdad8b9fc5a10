import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched)
struct OutlivingTaskTests {
  private let clock = AlarmClock()

  @Test func isNotTakenForALaterPebble() async throws {
    let seen = Logbook<String?>()
    let (mayAsk, hasAsked) = (Gate(), Gate())
    let pond = Pond("boot")
    let watcher = pond.pebble("startWatcher") {
      Task {
        await mayAsk.passed()
        seen.note(PebbleContext.current?.pebble)
        hasAsked.open()
      }
    }
    pond.pebble("next", when: watcher.succeeded) {
      mayAsk.open()
      await hasAsked.passed()
    }

    try await pond.run().check()

    #expect(seen.entries == ["startWatcher"])
  }

  @Test func mayWaitForTheRunAndRefreshItsPond() async throws {
    let other = Pond("other")
    other.pebble("inside") {}
    let pond = Pond("boot")
    let (hasStarted, mayAsk, hasAsked) = (Gate(), Gate(), Gate())
    let answers = Logbook<String>()
    let started = Logbook<Run>()
    let watcher = pond.pebble("startWatcher") {
      // Not once more in the refresh, which would refresh again.
      if mayAsk.isOpen { return }
      Task {
        await mayAsk.passed()
        _ = try? await other.run()
        hasAsked.open()
        let run = try #require(started.entries.first)
        answers.note(await name { try await run.report.pondName })
        answers.note(await name { try await pond.refresh().pondName })
      }
    }
    let next = pond.pebble("next", when: watcher.succeeded) {
      await hasStarted.passed()
      mayAsk.open()
      await hasAsked.passed()
    }

    let run = try pond.start()
    started.note(run)
    hasStarted.open()
    let report = try await run.report
    try await until { answers.count == 2 }

    #expect(answers.entries == ["boot", "boot"])
    #expect(report.record(of: watcher)?.nestedReports.isEmpty == true)
    #expect(report.record(of: next)?.nestedReports.isEmpty == true)
  }

  @Test(arguments: [false, true]) func keepsNoOutputAlive(withTimeout: Bool) async throws {
    let (release, ended) = (Gate(), Gate())
    let pond = Pond("reload")
    weak var output: Captured?
    let traits: PebbleTrait = withTimeout ? .timeout(.seconds(1)) : .traits([])
    let load = pond.pebble("load") { Captured() }
    pond.pebble("watch", traits, when: load.succeeded) {
      Task {
        await release.passed()
        ended.open()
      }
    }

    do {
      let report = try await pond.run(clock: clock)
      output = report[load]
      #expect(output != nil)
    }

    try await until { output == nil }
    #expect(!ended.isOpen)
    release.open()
    await ended.passed()
  }

  /// Tests a task that is started by the teardown of a service and observes the run. Its events
  /// must continue, unlike those of an observer in the body of the service, which end when the
  /// service is asked to stop.
  @Test func isToldOfTheRestOfAShutdownIfTheTeardownOfAServiceStartsIt() async throws {
    let (mayListen, isListening, isOver) = (Gate(), Gate(), Gate())
    let told = Logbook<String>()
    let pond = Pond("boot")
    let database = pond.pebble(
      "database",
      teardown: {
        mayListen.open()
        await isListening.passed()
      }
    ) {}
    pond.service(
      "http", when: database.succeeded,
      teardown: {
        _ = Task {
          await mayListen.passed()
          let events = PebbleContext.current?.run?.events
          isListening.open()
          if let events {
            for await event in events { told.note("\(event.kind)") }
          }
          isOver.open()
        }
      }
    ) { ready in
      ready()
      await ready.stopRequested()
    }
    let run = try pond.start()
    _ = try await run.report

    try await run.shutdown().check()
    await isOver.passed()

    #expect(told.entries == ["teardownEnded", "shutdownEnded"])
  }

  @Test func doesNotDetainTheRunner() async throws {
    // Each of these leaves a task behind, so each runner hands over to another one.
    let release = Gate()
    let pond = Pond("many")
    var last = pond.pebble("0") {}
    for number in 1...200 {
      last = pond.pebble("\(number)", when: last.succeeded) {
        guard PebbleContext.current?.pebble == "\(number)" else { throw Breakdown() }
        Task { await release.passed() }
      }
    }

    try await pond.run().check()
    release.open()
  }

  private func name(_ ask: () async throws -> String) async -> String {
    do { return try await ask() } catch { return "\(error)" }
  }
}
