import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

@Suite(.watched) struct PageTests {
  @Test func thePageIsReadBackAsTheRun() throws {
    let run = try bootRun()

    let page = run.page(comparedTo: try bootRun(loginFails: false))

    #expect(try PondDocument(page.utf8).run?.json() == run.json())
    #expect(throws: JSONError.self) {
      try PondDocument(page.replacing("\"makespan\"", with: "\"soonspan\"").utf8)
    }
  }

  @Test func namesStayTextAndFillNoPlaces() throws {
    let hostile = ["</script><b>", "<!--", "{{script}}", "{{run}}", "\"'&amp;", "\u{2028}"]
    let pond = Pond("</title><script>alert(1)</script> {{style}}")
    for name in hostile { pond.pebble(name) {} }
    var plan = SimulationPlan()
    plan.failures[0] = "</script>"
    let run = Simulator(try pond.model(), plan).run()

    let page = run.page()

    #expect(page.ranges(of: "<script").count == 3)
    #expect(page.ranges(of: "</script").count == 3)
    #expect(page.ranges(of: "</title>").count == 1)
    #expect(page.ranges(of: PageText.script).count == 1)
    #expect(try PondDocument(page.utf8).run?.pebbles.map(\.name) == hostile)
  }

  @Test func withoutDataThePageHasAtMost136Kilobytes() throws {
    let text = [PageText.template, PageText.style, PageText.script]

    #expect(text.map(\.utf8.count).reduce(0, +) <= 136_000)
  }

  @Test func thePageNamesNothingOutsideOfIt() {
    for text in [PageText.template, PageText.style, PageText.script] {
      let addresses = text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(
        !addresses.contains("://") && !addresses.contains("url(") && !addresses.contains("@import"))
    }
  }

  @Test func aReportHasAPageToo() async throws {
    let pond = Pond("small")
    pond.pebble("only") {}

    let report = try await pond.run()

    #expect(try PondDocument(report.page().utf8).run?.json() == report.recorded().json())
  }

  @Test func aRunThatCannotHaveHappenedHasAPage() throws {
    let pond = Pond("small")
    pond.pebble("only", when: .never) {}
    let ran = RecordedPebble(
      name: "only", outcome: .succeeded, ready: .zero, started: .zero, finished: .milliseconds(1),
      decidedBy: nil, attempts: [])
    let run = try RecordedRun(
      model: try pond.model(), pebbles: [ran], makespan: .milliseconds(1))

    #expect(!run.page().contains("id=\"waits\""))
  }
}
