import Pebbles
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// What the page says of a run.
  @Suite struct PageContentTests {
    private static let detail = "document.getElementById('detail').innerText"

    /// Names that mean something to a browser, to the page, or to readers.
    private static let hostileNames = [
      "</script><script>window.hacked = 1</script>", "<img src=x onerror=\"window.hacked = 1\">",
      "<!--", "-->", "\"quotes\" & 'more'", "{{script}}", "a\u{2028}b", "\u{202E}right to left",
      "🏔️ mountain", "e\u{301}clair", "#pebble=x", "%E0%A4%A", "__proto__", "constructor", " ",
      String(repeating: "long", count: 1_000),
    ]

    @Test func hostileNamesAreShownAndDoNothing() throws {
      let pond = Pond("</title><script>window.hacked = 1</script>")
      var condition = Condition.always
      var plan = SimulationPlan()
      for (position, name) in Self.hostileNames.enumerated() {
        condition = pond.pebble(name, when: condition) {}.completed.labeled(name)
        plan.durations.append(1_000_000)
        if position == 3 { plan.failures[position] = "<b>error</b> </script>" }
      }
      let run = Simulator(try pond.model(), plan).run()

      try Browser.using { browser in
        try browser.open(run.page())
        for name in Self.hostileNames {
          try browser.press("Down")
          #expect(
            try browser.text("document.querySelector('[aria-selected=true] .text').textContent")
              == name)
        }
        try browser.press("g", "f")

        #expect(try browser.isTrue("window.hacked === undefined"))
        #expect(try browser.number("performance.getEntriesByType('resource').length") == 0)
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func linksLeadToPebbles() throws {
      try Browser.using { browser in
        let page = try bootRun().page()
        try browser.open(page, fragment: "#pebble=login%2Ftoken")
        #expect(try browser.text(Self.detail).hasPrefix("✗ login/token"))
        try browser.click("#detail a")
        #expect(try browser.text("location.hash") == "#pebble=config")
        #expect(try browser.text(Self.detail).hasPrefix("✓ config"))

        // Neither a pebble that is not there nor what is no text is an error.
        for fragment in ["#pebble=nobody", "#pebble=%E0%A4%A", "#pebble", "#rows"] {
          try browser.open(page, fragment: fragment)
          #expect(try browser.text(Self.detail).hasPrefix("The run"))
        }
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func filtersAreIndependent() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        func expect(_ count: String, after action: String) throws {
          if !action.isEmpty { try browser.click(action) }
          #expect(try browser.text("document.getElementById('count').textContent") == count)
        }

        try expect("9 pebbles", after: "")
        try expect("5 of 9 pebbles", after: "#outcomes .skipped")
        try expect("4 of 9 pebbles", after: "#outcomes .failed")
        try browser.press("/", "cache")
        try expect("1 of 9 pebbles", after: "")
        try expect("1 of 9 pebbles", after: "#outcomes .failed")
        try browser.press("Escape")
        try expect("5 of 9 pebbles", after: "")
        try expect("3 of 9 pebbles", after: "#part [value=chain]")
        try expect("1 of 9 pebbles", after: "#part [value=waited]")
        try expect("5 of 9 pebbles", after: "#part [value=all]")
      }
    }

    @Test func whatIfSaysWhatWouldEndOtherwise() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page(), fragment: "#pebble=login%2Ftoken")
        let answer = "document.getElementById('answer')?.innerText ?? ''"

        try browser.press("f")
        let text = try browser.text(answer)
        #expect(text.contains("If login/token succeeds:"))
        #expect(text.contains("2 pebbles would run: showHome, tour"))
        #expect(text.contains("2 pebbles would not run: showOffline, banner"))
        #expect(try browser.number("document.querySelectorAll('.row.changed').length") == 5)
        try browser.press("f")
        #expect(try browser.text(answer).isEmpty)
      }
    }

    @Test func theLongestChainIsThatOfTheAnalysis() throws {
      let run = try bootRun()
      let path = try run.criticalPath()

      try Browser.using { browser in
        let last = try #require(path.steps.last)
        try browser.open(run.page(), fragment: "#pebble=\(last.name)")
        let chain = """
          [...document.querySelectorAll('#detail h3')]
            .find(title => title.textContent.startsWith('What led here')).nextSibling.innerText
          """

        let lines = try browser.text(chain).split(separator: "\n")
        #expect(lines.count == path.steps.count - 1)
        for (line, step) in zip(lines, path.steps.dropLast().reversed()) {
          #expect(line.contains(step.name))
        }
        #expect(
          try browser.number("document.querySelectorAll('.row.critical').length")
            == Double(path.steps.count))
      }
    }

    @Test func anEarlierRunIsLaidOver() throws {
      try Browser.using { browser in
        try browser.open(
          try bootRun().page(comparedTo: bootRun(loginFails: false)), fragment: "#pebble=tour")

        #expect(
          try browser.text("document.getElementById('verdict').innerText").contains("Compared"))
        #expect(
          try browser.text(Self.detail).contains("In the earlier run it succeeded after 8.00 ms."))
        try browser.click("#part [value=different]")
        #expect(
          try browser.text("document.getElementById('count').textContent") == "5 of 9 pebbles")
        try browser.click("#compare")
        #expect(try browser.text("document.getElementById('count').textContent") == "9 pebbles")
        #expect(try browser.complaints().isEmpty)
      }
    }
  }
}
