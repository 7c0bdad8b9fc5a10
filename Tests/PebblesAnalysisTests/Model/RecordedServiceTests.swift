import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that the record of a run contains the same facts as its report about services,
/// cancellations and teardowns.
@Suite(.watched) struct RecordedServiceTests {
  @Test func aServiceThatCrashedIsDownInTheRecordToo() async throws {
    let pond = Pond("app")
    pond.service("web", .ending(.ignore)) { ready in
      ready()
      throw Breakdown("no memory")
    }
    let report = try await pond.start().report
    try await until { report.records[0].isServiceDown }

    let run = try kept(report)

    #expect(run.pebbles[0].service?.isDown == true)
    #expect(run.pebbles[0].service?.end?.wasAsked == false)
    #expect(run.pebbles[0].service?.end?.error == "no memory")
    #expect(try run.unhandledFailures.map(\.name) == ["web"])
    #expect(try run.exitCode == 1)
  }

  @Test func aServiceThatWasAskedToStopIsNotDown() async throws {
    let pond = Pond("app")
    pond.service("web") { ready in
      ready()
      await ready.stopRequested()
    }
    let run = try pond.start()
    let report = try await run.report
    try await run.shutdown().check()

    let record = try kept(report)

    #expect(record.pebbles[0].service?.end?.wasAsked == true)
    #expect(record.pebbles[0].service?.isDown == false)
    #expect(record.shutdown?.teardowns.map(\.pebble) == [0])
    #expect(record.shutdown?.failures == [])
    #expect(try record.exitCode == 0)
  }

  @Test func restartsAreRecorded() async throws {
    let pond = Pond("app")
    let calls = Logbook<Int>()
    pond.service("web", .ending(.restart(.attempts(3)))) { ready in
      calls.note(1)
      ready()
      if calls.entries.count == 1 { throw Breakdown("lost") }
      await ready.stopRequested()
    }
    let run = try pond.start()
    let report = try await run.report
    try await until { calls.entries.count == 2 }
    try await run.shutdown().check()

    let service = try kept(report).pebbles[0].service

    #expect(service?.restartCount == 1)
    #expect(service?.restarts.map(\.error) == ["lost"])
    #expect(service?.restarts.map(\.attempt) == [2])
    #expect(report.description.contains("called again once"))
  }

  @Test func anEarlierOutputOfAKeptServiceThatCouldNotBeTornDownIsInTheRecord() async throws {
    let pond = Pond("app")
    let (calls, crash) = (Attempts(failing: 0), Gate())
    let _: Pebble<Int> = pond.service(
      "web", .ending(.restart(.attempts(3))),
      teardown: { call in
        guard call > 1 else { throw Breakdown("busy") }
      }
    ) { ready in
      let call = try calls.next()
      ready(call)
      guard call == 1 else { return await ready.stopRequested() }
      await crash.passed()
      throw Breakdown("lost")
    }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    let report = try await second.report
    crash.open()
    try await until { calls.count == 2 }

    let record = try kept(report)
    try await second.shutdown().check()

    #expect(record.pebbles[0].keptFrom == "\(first.identifier)")
    #expect(record.pebbles[0].lateTeardownErrors == ["busy"])
    #expect(report.exitCode == 1)
  }

  @Test func whatCouldNotBeTornDownIsInTheRecord() async throws {
    let pond = Pond("app")
    pond.pebble("cache") {}
    pond.pebble("database", teardown: { throw Breakdown("locked") }) {}
    let run = try pond.start()
    let report = try await run.report
    try await run.shutdown()

    let record = try kept(report)

    #expect(record.shutdown?.failures.map(\.pebble) == [1])
    #expect(record.shutdown?.failures.map(\.error) == ["locked"])
    #expect(try record.exitCode == 1)
    #expect(report.description.hasPrefix("app: 2 succeeded in "))
    #expect(report.description.contains(", 1 not torn down\n"))
    #expect(
      report.description.contains(
        "\ncould not be torn down\n  database: locked\n\nsucceeded "))
  }

  @Test func whatTheRunCancelledIsNoFailureOfTheRecordEither() async throws {
    let pond = Pond("boot")
    let isWaiting = Gate()
    pond.pebble("load") {
      isWaiting.open()
      try await untilCancelled()
    }
    let run = try pond.start()
    await isWaiting.passed()
    run.cancel()
    let report = try await run.report

    let record = try kept(report)

    #expect(record.cancellation?.isOrderly == true)
    #expect(record.pebbles[0].outcome.isFailed)
    #expect(record.pebbles[0].wasCancelled)
    #expect(try record.unhandledFailures.isEmpty)
    #expect(try record.exitCode == 0)
  }

  /// Returns the record of a run after it has been written and read again. Expects that its exit
  /// code and unhandled failures are those of the run.
  private func kept(_ report: Report) throws -> RecordedRun {
    let run = try RecordedRun(json: report.recorded().json())
    #expect(try run.exitCode == report.exitCode)
    #expect(try run.unhandledFailures.map(\.name) == report.unhandledFailures.map(\.name))
    return run
  }
}
