import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the record of a run that has kept pebbles of an earlier run.
@Suite(.watched) struct RecordedKeptTests {
  private let pond = Pond("boot")
  private let network = Network()

  private func resumedRun() async throws -> (first: RunIdentifier, report: Report) {
    let store = pond.pebble("store") { 3 }
    let isSmall = store.succeeded("small") { $0 < 10 }
    let launches = pond.pebble("launches", when: isSmall) { [network] in try network.reach() }
    pond.pebble("show", when: launches.succeeded) {}
    let first = try pond.start()
    _ = try await first.report
    network.goOnline()
    return (first.identifier, try await first.resumed().report)
  }

  @Test func aPebbleThatIsTornDownTwiceIsReadBack() async throws {
    let launches = pond.pebble("launches") { throw Breakdown() }
    pond.pebble("cached", when: launches.failed, teardown: { (_: Int) in }) { 1 }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    let report = try await second.report
    try await second.shutdown().check()

    let recorded = report.recorded()

    #expect(recorded.shutdown?.teardowns.map(\.pebble) == [1, 1])
    #expect(try RecordedRun(json: recorded.json()).shutdown == recorded.shutdown)
  }

  /// Checks the record of a shutdown that gives up a body, although a run inside that body has been
  /// torn down.
  @Test func aBodyThatIsLeftBehindWithARunInsideIsReadBack() async throws {
    let (isUp, mayEnd) = (Gate(), Gate())
    let inner = Pond("inner")
    inner.pebble("buffer", teardown: {}) {}
    pond.pebble("stubborn") {
      _ = try await inner.run()
      isUp.open()
      await mayEnd.passed()
    }
    let run = try pond.start()
    await isUp.passed()
    _ = try await run.shutdown(within: .milliseconds(20))
    let recorded = try await run.report.recorded()
    mayEnd.open()

    #expect(try RecordedRun(json: recorded.json()).shutdown == recorded.shutdown)
  }

  @Test func itIsWrittenAndRead() async throws {
    let (first, report) = try await resumedRun()

    let recorded = report.recorded()
    let read = try RecordedRun(json: recorded.json())

    #expect(read.pebbles == recorded.pebbles && read.json() == recorded.json())
    #expect(read.pebbles.map(\.keptFrom) == ["\(first)", nil, nil])
    #expect(read.pebbles[0].attempts.isEmpty && read.pebbles[0].duration == .zero)
    #expect(read.pebbles[0].cases == [.succeeded("small")])
    #expect(recorded.json().contains("\"kept\": \"\(first)\""))
  }

  @Test func itHasNotRunAccordingToTheReportAndTheRecord() async throws {
    let report = try await resumedRun().report
    let recorded = report.recorded()

    let names = ["store", "launches", "show"]
    #expect(names.map { report.ran(.named($0)) } == [false, true, true])
    #expect(names.map { recorded.ran(.named($0)) } == [false, true, true])
    #expect(names.allSatisfy { recorded.succeeded(.named($0)) })
  }

  @Test func itIsNotAmongThePebblesThatTookTime() async throws {
    let report = try await resumedRun().report
    let timing = try report.timing()

    #expect(timing.blame.entries.map(\.name).sorted() == ["launches", "show"])
    let utilization = try await Self.runOfKeptPebblesOnly().timing().utilization
    #expect(utilization.peak == 0)
  }

  private static func runOfKeptPebblesOnly() async throws -> Report {
    let pond = Pond("boot")
    pond.pebble("store") {}
    let first = try pond.start()
    _ = try await first.report
    return try await first.resumed().report
  }

  @Test func itIsToldByWhatIsMadeOfTheRecord() async throws {
    let (first, report) = try await resumedRun()

    let storage = try Replay(RecordedRun(json: report.recorded().json())).storage

    #expect(PebbleRecord(storage, 0).explanation == report.records[0].explanation)
    #expect(report.records[0].explanation.contains("\(first)"))
    #expect(report.dot().contains("small, kept") && report.mermaid().contains("small, kept"))
  }

  @Test func itIsNotSaidToHaveStarted() async throws {
    let store = pond.pebble("store") { 3 }
    let index = pond.pebble("index", when: store.succeeded) {}
    let first = try pond.start()
    _ = try await first.report
    let report = try await first.resumed().report

    let sentence = report.why(index).sentence

    #expect(sentence == "index succeeded in the run \(first.identifier) and was kept")
    #expect(sentence == report.record(of: index)?.explanation)
  }

  /// Checks that the time at which a kept service ended is not told, as it is one of another run.
  @Test func theEndOfAKeptServiceIsToldWithoutItsTime() throws {
    pond.service("web") { ready in ready() }
    let end = RecordedServiceEnd(time: .seconds(3), error: "no memory", wasAsked: false)
    let web = RecordedPebble(
      name: "web", outcome: .succeeded, ready: .zero, started: .zero, finished: .zero,
      service: RecordedService(end: end, isDown: true), keptFrom: "4f1c")

    let run = try RecordedRun(model: pond.model(), pebbles: [web], makespan: .zero)

    #expect(try run.problems == ["web: it ended without having been asked to: no memory"])
  }

  @Test func whatHasNotSucceededOrWasCalledWasNotKept() throws {
    pond.pebble("store") {}
    let model = try pond.model()
    func record(_ outcome: RecordedOutcome, _ attempts: [RecordedAttempt]) throws {
      _ = try RecordedRun(
        model: model,
        pebbles: [
          RecordedPebble(
            name: "store", outcome: outcome, ready: .zero, started: .zero, finished: .zero,
            attempts: attempts, keptFrom: "4f1c")
        ], makespan: .zero)
    }

    try record(.succeeded, [])
    #expect(throws: RecordingError.self) { try record(.failed("no"), []) }
    #expect(throws: RecordingError.self) {
      try record(.succeeded, [RecordedAttempt(started: .zero, finished: .zero)])
    }
  }
}
