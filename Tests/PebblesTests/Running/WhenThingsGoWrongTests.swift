import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that execute the examples of the page *When things go wrong*. They expect the texts that
/// the page shows.
@Suite(.watched) struct WhenThingsGoWrongTests {
  private let clock = AlarmClock()
  private let pond = Pond("server")

  @Test func aServiceCrashes() async throws {
    let crash = Gate()
    let database = pond.pebble("database", teardown: {}) {}
    pond.service("http", when: database.succeeded) { ready in
      ready()
      await crash.passed()
      throw Breakdown("connection reset")
    }
    let run = try pond.start(clock: clock)
    _ = try await run.report
    clock.advance(by: .seconds(90))
    crash.open()
    let report = try await run.reportAfterShutdown()

    try expect(report, toBeShownWithExitStatus: 1)
  }

  @Test func aPortIsTaken() async throws {
    let pond = Pond("server", onFailure: .cancelAll)
    let database = pond.pebble("database", teardown: {}) {}
    let http = pond.service("http", when: database.succeeded) { _ in
      throw Breakdown("port 8080 is taken")
    }
    for name in ["warmUp", "announce"] { pond.pebble(name, when: http.succeeded) {} }
    let report = try await pond.run(clock: clock)

    try expect(report, toBeShownWithExitStatus: 1)
  }

  @Test func aSignalComesDuringTheBoot() async throws {
    let started = Gate()
    let database = pond.pebble("database", teardown: {}) {}
    let migrate = pond.pebble("migrate", when: database.succeeded) {
      started.open()
      try await untilCancelled()
    }
    pond.service("http", when: migrate.succeeded) { ready in ready() }
    let run = try pond.start(clock: clock)
    await started.passed()
    clock.advance(by: .milliseconds(300))
    run.core.shutDown(.signal(.terminate))
    let report = try await run.reportAfterShutdown()

    try expect(report, toBeShownWithExitStatus: 0)
  }

  @Test func aBodyIgnoresCancellation() async throws {
    let gate = Gate()
    let fetch = pond.pebble("fetch", .timeout(.seconds(5))) { await gate.passed() }
    pond.pebble("showCached", when: !fetch.succeeded) {}
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await run.report

    try expect(report, toBeShownWithExitStatus: 0)
    gate.open()
  }

  @Test func aTeardownHangs() async throws {
    let gate = Gate()
    let database = pond.pebble("database", teardown: {}) {}
    pond.pebble("cache", when: database.succeeded, teardown: { await gate.passed() }) {}
    let run = try pond.start(clock: clock)
    _ = try await run.report
    let shutdown = Task { try await run.shutdown(within: .seconds(20)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(20))
    let told = try await shutdown.value

    #expect(try Self.page().contains("\(told)"), "\(told)")
    #expect(try await run.report.exitCode == 1)
    gate.open()
  }

  // MARK: - Real processes

  @Test func theProcessOfABootThatIsAskedToEndExitsWith0() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let pond = Pond("server", onFailure: .cancelAll)
      pond.pebble("slow") {
        kill(getpid(), SIGTERM)
        try await untilCancelled()
      }
      let report = try await pond.run(untilSignal: [.terminate, .interrupt])
      exit(report.exitCode)
    }
  }

  @Test func theProcessOfAFailedBootExitsWith1() async {
    await #expect(processExitsWith: .exitCode(1)) {
      let pond = Pond("server", onFailure: .cancelAll)
      pond.pebble("http") { throw Breakdown("port 8080 is taken") }
      let report = try await pond.run(untilSignal: [.terminate, .interrupt])
      exit(report.exitCode)
    }
  }

  @Test func theProcessOfACrashedServiceExitsWith1() async {
    await #expect(processExitsWith: .exitCode(1)) {
      let pond = Pond("server")
      pond.service("http") { ready in
        ready()
        throw Breakdown("connection reset")
      }
      let report = try await pond.run(untilSignal: [.terminate, .interrupt])
      exit(report.exitCode)
    }
  }

  private func expect(_ report: Report, toBeShownWithExitStatus status: Int32) throws {
    #expect(try Self.page().contains("\(report)"), "\(report)")
    #expect(report.exitCode == status)
  }

  private static func page() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "Sources/Pebbles/Pebbles.docc/WhenThingsGoWrong.md"),
      encoding: .utf8)
  }
}
