import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// Tests of cases and the goal on the page, and of what-if questions about cases.
  @Suite struct PageCaseTests {
    private static let detail = "document.getElementById('detail').innerText"
    private static let answer = "document.getElementById('answer').innerText"
    private static let button = "document.getElementById('suppose').innerText"

    @Test func casesAndTheGoalAreSaid() throws {
      let run = try CasePond().run()

      try Browser.using { browser in
        try browser.open(run.page())
        #expect(
          try browser.text("document.getElementById('goal').innerText")
            == "The goal was not reached: it needs \"won for all\", that is settings to not "
            + "succeed as beta, but settings succeeded as beta.")
        #expect(try browser.text(Self.detail).contains("The goal was not reached"))
        #expect(try browser.text(Self.detail).contains("“won for all”"))

        try browser.open(run.page(), fragment: "#pebble=database")
        #expect(
          try browser.text(Self.detail).contains("Failed as locked after 1.00 ms: the lock is held")
        )
        try browser.open(run.page(), fragment: "#pebble=won")
        #expect(
          try browser.text(Self.detail)
            .contains("flip succeeded with heads – it succeeded with tails"))
        try browser.open(run.page(), fragment: "#pebble=makeRoom")
        #expect(
          try browser.text(Self.detail).contains("database not failed as locked – it failed as"))
        try browser.press("g")
        #expect(try browser.text("document.querySelector('g.node.failed').textContent") == "goal")
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func itIsAskedAsWhatAPebbleEnds() throws {
      let run = try CasePond().run()

      try Browser.using { browser in
        try browser.open(run.page(), fragment: "#pebble=flip")
        #expect(try browser.text(Self.button).hasPrefix("Let it fail"))
        try browser.press("f", "f", "f")
        let answer = try browser.text(Self.answer)
        #expect(answer.hasPrefix("If flip succeeds with heads:"))
        #expect(answer.contains("1 pebble would run: won"))
        #expect(answer.contains("1 pebble would not be needed: lost"))
        #expect(answer.contains("The goal would not be reached."))
        try browser.press("f")
        #expect(try browser.isTrue("document.getElementById('answer') === null"))

        let choose = """
          (() => {
            const way = document.getElementById('way');
            way.selectedIndex = 3;
            way.dispatchEvent(new Event('change'));
            return [...way.options].map(one => one.text).join();
          })()
          """
        #expect(
          try browser.text(choose)
            == "succeeds with tails,fails,fails, timed out,succeeds with heads")
        #expect(try browser.text(Self.answer).hasPrefix("If flip succeeds with heads:"))
        try browser.open(run.page(), fragment: "#pebble=settings")
        try browser.press("f", "f")
        #expect(try browser.text(Self.answer).contains("would not be needed: beta"))
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func ofABodyThatDidNotRunAValueIsTaken() throws {
      let pond = Pond("guess")
      let load = pond.pebble("load") {}
      let flip = pond.pebble("flip", when: load.failed) { CasePond.Side.heads }
      pond.pebble("won", when: flip.is(.heads)) {}
      pond.goal = load.succeeded
      let run = Simulator(try pond.model(), SimulationPlan()).run()

      try Browser.using { browser in
        try browser.open(run.page(), fragment: "#pebble=load")
        try browser.press("f")
        #expect(
          try browser.text(Self.answer).contains("flip is assumed to have succeeded with heads."))
        #expect(try browser.text(Self.answer).contains("The goal would not be reached."))
        #expect(
          try browser.text("document.getElementById('goal').innerText") == "The goal was reached.")
      }
    }
  }
}
