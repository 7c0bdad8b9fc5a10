import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests that bodies do not affect each other, and that a run releases everything it has held.
@Suite(.watched) struct IsolationTests {
  @Test func aRunOfACancelledTaskStartsNothing() async throws {
    for _ in 0..<300 {
      let journal = Logbook<String>()
      let pond = Pond("cancelled before")
      let body = pond.pebble("body") { journal.note("body") }

      let report = try await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await pond.run()
      }.value

      #expect(journal.entries.isEmpty)
      #expect(report.outcome(of: body).skipReason == .cancelled)
    }
  }

  @Test func aBodyThatCancelsItsOwnTaskDoesNotCancelOthers() async throws {
    let pond = Pond("careless")
    let careless = pond.pebble("careless") { withUnsafeCurrentTask { $0?.cancel() } }
    let callback = pond.pebble("callback", when: careless.succeeded) { $0(true) }
    let check = pond.pebble("check", when: callback.succeeded) { Task.isCancelled }

    let report = try await pond.run()

    #expect(report[check] == false)
    #expect(!report.isCancelled)
  }

  @Test func aReportDoesNotKeepWhatBodiesHaveCaptured() async throws {
    weak let captured: Captured?
    let report: Report
    do {
      let object = Captured()
      captured = object
      let pond = Pond("captured")
      pond.pebble("body") { _ = object }
      report = try await pond.run()
    }
    // A spare runner may hold on to the run for some microseconds after its end.
    try await until { captured == nil }

    #expect(report.records.count == 1)
  }

  @Test func noPebbleStartsBeforeItIsReadyOrEndsAfterTheRun() async throws {
    for round in 0..<200 {
      let pond = Pond("times")
      let roots = (0..<20).map { pond.pebble("root \($0)") {} }
      for number in 0..<40 {
        pond.pebble("p\(number)", when: roots[number % 20].succeeded) { await Task.yield() }
      }
      let run = try pond.start()
      if round.isMultiple(of: 2) { run.cancel() }

      let report = try await run.report

      for record in report.records {
        #expect(record.finished <= report.makespan)
        if let ready = record.ready, let started = record.started { #expect(ready <= started) }
      }
    }
  }
}
