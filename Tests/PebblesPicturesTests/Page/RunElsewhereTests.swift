import Pebbles
import PebblesAnalysis
import PebblesDurable
import PebblesPictures
import PebblesTestSupport
import Testing

/// Tests that every output for a report is also available for a report of bodies that were called
/// elsewhere, and whose graph was read from a file.
@Suite struct RunElsewhereTests {
  private let report: Report

  init() throws {
    let pond = Pond("nightly", maxConcurrent: 2)
    let fetch = pond.pebble("fetch", .retry(.attempts(3))) { [1] }
    let index = pond.pebble("index", needs: fetch) { $0.count }
    let compare = pond.pebble("compare", needs: index, fetch.result) { _, _ in }
    pond.pebble("publish", when: compare.succeeded) {}
    pond.pebble("roll back", when: compare.failed) {}
    let model = try PondModel(json: pond.model().json())
    let scheduler = try model.scheduler(for: RunIdentifier("nightly-17"))
    var time = 0
    while let pebble = scheduler.ready.first {
      try scheduler.start(pebble, at: .seconds(time))
      time += 2
      if scheduler.names[pebble] == "compare" {
        let error = RecordedError("12 launches are gone")
        try scheduler.settle(pebble, failedWith: error, at: .seconds(time))
      } else {
        try scheduler.settle(pebble, succeeded: true, at: .seconds(time))
      }
    }
    report = try #require(scheduler.report)
  }

  @Test func itsRecordSurvivesAFile() throws {
    let run = report.recorded()
    let read = try RecordedRun(json: run.json())

    #expect(read.pebbles == run.pebbles)
    #expect(read.makespan == .seconds(8))
    #expect(run.pebbles[2].outcome == .failed("12 launches are gone"))
    #expect(try read.exitCode == 0)
    #expect(report.identifier.description == "nightly-17")
  }

  @Test func itIsExplained() throws {
    let run = report.recorded()

    #expect(try run.why(at: 3)?.description.contains("12 launches are gone") == true)
    #expect(
      try run.criticalPath().steps.map(\.name) == ["fetch", "index", "compare", "roll back"])
    #expect(try run.timing().criticalPath.duration == .seconds(8))
  }

  @Test func itIsDrawn() {
    let run = report.recorded()

    #expect(run.page().contains("12 launches are gone"))
    #expect(run.timeline().contains("roll back"))
    #expect(run.trace().contains("compare"))
    #expect(report.dot().contains("publish"))
    #expect("\(report)".contains("12 launches are gone"))
  }
}
