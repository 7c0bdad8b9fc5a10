import Pebbles
import PebblesAnalysis
import PebblesPictures
import PebblesTestSupport
import Testing

@Suite struct RecordedGraphTests {
  @Test func aRecordedRunIsDrawnLikeItsReport() async throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") { throw Breakdown() }
    let load = pond.pebble("load \"all\"") {}
    pond.pebble("show", when: ping.failed && load.succeeded) {}
    pond.pebble("login", when: ping.succeeded) {}
    let report = try await pond.run()

    let run = try RecordedRun(json: report.recorded().json())

    #expect(try run.dot() == report.dot())
    #expect(try run.mermaid() == report.mermaid())
    #expect(run.model.dot() == pond.dot())
    #expect(run.model.mermaid() == pond.mermaid())
  }

  @Test(arguments: 0..<3)
  func randomRunsAreDrawnLikeTheirReports(shard: Int) async throws {
    var generator = SeededGenerator(seed: 15_000 + UInt64(shard))
    for _ in 0..<50 {
      let reference = ReferencePond.random(
        mostPebbles: 8, withPredicates: false, using: &generator)
      let pond = Pond("random")
      reference.define(in: pond)
      let report = try await pond.run()

      #expect(try report.recorded().dot() == report.dot())
    }
  }
}
