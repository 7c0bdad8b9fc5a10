import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

@Suite(.watched) struct RecordedGraphTests {
  @Test func aRecordedRunIsDrawnLikeItsReport() async throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") { throw Breakdown() }
    let load = pond.pebble("load \"all\"") {}
    pond.pebble("show", when: ping.failed && load.succeeded) {}
    pond.pebble("login", when: ping.succeeded) {}
    let report = try await pond.run()

    let run = try RecordedRun(json: report.recorded().json())

    // There may be a failure with none of its ends, of which a note tells.
    #expect(try run.dot().hasPrefix(report.dot().dropLast(2)))
    #expect(try run.mermaid() == report.mermaid())
    #expect(run.model.dot().hasPrefix(pond.dot().dropLast(2)))
    #expect(run.model.mermaid() == pond.mermaid())
  }

  @Test(arguments: 0..<3)
  func randomRunsAreDrawnLikeTheirReports(shard: Int) async throws {
    var generator = SeededGenerator(seed: 15_000 + UInt64(shard))
    for _ in 0..<50 {
      let reference = ReferencePond.random(
        mostPebbles: 8, withCases: shard > 0, using: &generator)
      let pond = Pond("random")
      reference.define(in: pond)
      let report = try await pond.run()

      // A note about its ends may follow.
      #expect(try report.recorded().dot().hasPrefix(report.dot().dropLast(2)))
    }
  }

  @Test func thatABootMayEndWithoutAScreenIsSaid() throws {
    let sentence =
      "Of 368 endings, 88 have none and 48 have two of the ends showOffline, "
      + "showSubscribe, showSignUp, startOovium and invalid. Not counted: otidLogin, which stands "
      + "in for userLogin."
    let model = try PublishedBoot().pond.model()
    let run = Simulator(model, SimulationPlan()).run()
    func text(_ dot: String) -> String { dot.replacing("\\n", with: " ") }

    #expect(text(model.dot()).contains("label=\"\(sentence)\"]\n}\n"))
    #expect(text(try run.dot()).contains("label=\"\(sentence)\"]\n}\n"))
    #expect(run.timeline().contains(" \(sentence)</desc>"))
    #expect(run.page().contains("<p>\(sentence)</p>"))
  }

  @Test func ofEndsThatMayBeReachedTogetherNothingIsSaid() throws {
    let pond = Pond("service")
    let config = pond.pebble("config") {}
    for name in ["http", "metrics", "cron"] { pond.pebble(name, when: config.succeeded) {} }
    #expect(try pond.model().endsWarning == nil)

    // Nor if exactly one is.
    let boot = Pond("boot")
    let ping = boot.pebble("ping") {}
    boot.pebble("home", when: ping.succeeded) {}
    boot.pebble("offline", when: ping.failed) {}
    #expect(try boot.model().endsWarning == nil)
    boot.pebble("\"odd\\ \u{202E}", when: Condition.never && ping.failed || ping.skipped) {}
    #expect(try boot.model().endsWarning == nil)
    let login = boot.pebble("login", when: ping.succeeded) {}
    boot.pebble("\"<odd>\\ \u{202E}", when: ping.failed && login.skipped) {}
    let warning = try #require(try boot.model().endsWarning)
    #expect(warning.contains("have two of the ends home, offline"))
    #expect(!warning.unicodeScalars.contains("\u{202E}"))
  }

  @Test func aMarkThatCombinesWithTheQuotesAroundItsNameDoesNotEndTheNote() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    pond.pebble("home", when: ping.succeeded) {}
    pond.pebble("offline", when: ping.failed) {}
    pond.pebble("\u{301}odd", when: ping.failed) {}

    #expect(try pond.model().dot().contains("\\\"\u{301}odd\\\""))
  }

  @Test func whatOnlyTheGoalMentionsIsAnEndAndTheGoalSaysTheRest() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let home = pond.pebble("home", when: ping.succeeded) {}
    let offline = pond.pebble("offline", when: ping.failed) {}
    pond.pebble("login", when: ping.succeeded && offline.failed) {}
    pond.goal = (home.succeeded || ping.skipped).labeled("home is up")

    #expect(PondEnds(of: try pond.model()).positions == [1, 3])
    pond.goal = nil
    #expect(PondEnds(of: try pond.model()).positions == [1, 3])

    let boot = PublishedBoot().pond
    #expect(try boot.model().endsWarning != nil)
    boot.goal = .always
    #expect(try boot.model().endsWarning != nil)
    boot.goal = try boot.model().condition("showOffline.succeeded || invalid.succeeded")
    #expect(try boot.model().endsWarning == nil)
  }
}
