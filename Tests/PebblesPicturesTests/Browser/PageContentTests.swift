import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// Tests of the texts that the page shows about a run.
  @Suite(.watched) struct PageContentTests {
    private static let detail = "document.getElementById('detail').innerText"

    /// A script that returns the problems shown on the page, one per line.
    private static let problems =
      "[...document.querySelectorAll('#problems li')].map(one => one.innerText).join('\\n')"

    /// Names with a special meaning for the browser or the page, or that could confuse readers.
    private static let hostileNames = [
      "</script><script>window.hacked = 1</script>", "<img src=x onerror=\"window.hacked = 1\">",
      "<!--", "-->", "\"quotes\" & 'more'", "{{script}}", "a\u{2028}b", "\u{202E}right to left",
      "\u{2066}isolated", "\u{1}\u{7F}\u{9B}2J\n", "zero\u{200B}width", "שלום", "🏔️ mountain",
      "e\u{301}clair", "#pebble=x", "%E0%A4%A", "__proto__", "constructor", " ",
      String(repeating: "long", count: 1_000),
    ]

    /// A script that returns whether the page contains an invisible character, or one that changes
    /// the direction of the text around it.
    private static let hidesSomething = #"""
      /[\p{C}\p{Zl}\p{Zp}]/u.test(document.title + [...document.querySelectorAll('body, [title]')]
        .map(one => one.innerText + one.title).join('').replace(/[\n\t]/g, ''))
      """#

    @Test func anOverviewOfARunInWhichNothingRanCountsNoPebble() throws {
      let pond = Pond("idle")
      pond.pebble("only", when: .never) {}
      let page = Simulator(try pond.model(), SimulationPlan()).run().page()

      try Browser.using { browser in
        try browser.open(page)
        let label = try browser.wait(
          "document.getElementById('overview').getAttribute('aria-label')")

        #expect("\(label)".hasSuffix(": at most 0 pebbles at a time"))
      }
    }

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
              == name.singleLine)
          #expect(try !browser.isTrue(Self.hidesSomething), "\(name)")
        }
        try browser.press("g", "f")

        #expect(try !browser.isTrue(Self.hidesSomething))
        #expect(try browser.isTrue("window.hacked === undefined"))
        #expect(try browser.number("performance.getEntriesByType('resource').length") == 0)
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test(
      arguments: ["\u{301}", "\u{1F468}\u{200D}", "x"]
        + (Thoroughness.isFull ? ["\u{202E}", "\n"] : []))
    func aMegabyteOfAnErrorDoesNotHoldThePageUp(_ piece: String) throws {
      let pond = Pond("small")
      pond.pebble(String(repeating: piece, count: 20_000)) {}
      var plan = SimulationPlan()
      plan.failures[0] = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
      let run = Simulator(try pond.model(), plan).run()

      try Browser.using { browser in
        try browser.open(run.page())
        try browser.press("Down")
        #expect(try browser.number("\(Self.detail).length") < 100_000)
        try browser.press("g", "f")
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func whatDidNotEndWellIsSaid() throws {
      let pond = Pond("small")
      pond.service("web") { ready in ready() }
      let error = "<b>locked"
      let run = try RecordedRun(
        model: try pond.model(),
        pebbles: [
          RecordedPebble(
            name: "web", outcome: .succeeded, ready: .zero, started: .zero, finished: .seconds(1),
            attempts: [RecordedAttempt(started: .zero, finished: .seconds(1))],
            service: RecordedService(
              end: RecordedServiceEnd(time: .seconds(3), error: "no memory", wasAsked: false),
              isDown: true))
        ], makespan: .seconds(1),
        shutdown: RecordedShutdown(
          reason: "the service <b>web ended", started: .seconds(3), duration: .seconds(1),
          teardowns: [
            RecordedTeardown(pebble: 0, started: .zero, finished: .seconds(1), error: error)
          ]))

      try Browser.using { browser in
        try browser.open(run.page(), fragment: "#pebble=web")
        try browser.click("#problems summary")
        #expect(
          try browser.text(Self.problems) == """
            web: it ended at 3.00 s without having been asked to: no memory
            web: it could not be torn down: <b>locked
            """)
        #expect(
          try browser.text("document.getElementById('verdict').innerText")
            .contains("The run was shut down after 3.00 s: the service <b>web ended."))
        let detail = try browser.text(Self.detail)
        #expect(detail.contains("As a service it ended unasked at 3.00 s: no memory."))
        #expect(detail.contains("It could not be torn down: <b>locked."))
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
        try expect("5 of 9 pebbles", after: "#outcomes .blocked")
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
        #expect(text.contains("2 pebbles would not be needed: showOffline, banner"))
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

    @Test func pondsThatAPebbleRanAreShown() async throws {
      let inner = Pond("cache <inner>")
      let open = inner.pebble("open") {}
      inner.pebble("warm", when: open.succeeded) { throw Breakdown("no \u{202E}disk") }
      for number in 1...20 { inner.pebble("shard\(number)", when: open.failed) {} }
      let middle = Pond("middle")
      middle.pebble("around") { _ = try await inner.run() }
      let outer = Pond("outer")
      outer.pebble("cache") { _ = try await middle.run() }
      let page = try await outer.run().page()

      try Browser.using { browser in
        try browser.open(page, fragment: "#pebble=cache")
        let text = try browser.text(Self.detail)
        #expect(text.contains("\nPonds it ran\nmiddle: 1 pebble, "))
        #expect(text.contains("\n✓ around "))
        #expect(text.contains("\ncache <inner>: 22 pebbles, "))
        // What failed comes first.
        #expect(text.contains(#/\n✗ warm [0-9.]+ .?s: no \\u\{202E\}disk\n✓ open /#))
        #expect(text.contains("\n… and 10 more"))
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func aFileIsChosenToCompareWith() throws {
      let earlier = try bootRun(loginFails: false)
      try Browser.using { browser in
        try browser.open(bootRun().page(), fragment: "#pebble=tour")
        let verdict = "document.getElementById('verdict').innerText"
        func choose(_ text: String, named name: String) throws {
          try browser.choose(text, named: name, for: "#file")
        }

        for (text, name) in [(earlier.json(), "run.json"), (earlier.page(), "page.html")] {
          try choose(text, named: name)
          _ = try browser.wait("\(verdict).includes('Compared') || null")
          #expect(try browser.text(Self.detail).contains("In the earlier run it succeeded"))
          try browser.click("#compare")
          #expect(try !browser.isTrue("\(verdict).includes('Compared')"))
        }
        // What is no run is said to be none, and changes nothing.
        for text in [
          "", "{", "[]", "null", "<html>", #"{"format": "pond run"}"#,
          earlier.json().replacing("succeeded", with: "exploded"),
          #"{"format": "pond run", "makespan": 1, "pebbles": [null]}"#,
          earlier.json().replacing("\"version\": 1", with: "\"version\": 99"),
          earlier.json().replacing(#/"finished": (\d+)/#) { "\"finished\": \"\($0.output.1)\"" },
          earlier.json().replacing("\"pond\": {", with: "\"pool\": {"),
        ] {
          try choose(text, named: "other\u{202E}.json")
          let refusal = #"other\\u{202E}.json holds no run that can be read"#
          _ = try browser.wait(
            "document.getElementById('status').textContent === '\(refusal)' || null")
          #expect(try !browser.isTrue("\(verdict).includes('Compared')"))
          _ = try browser.value("document.getElementById('status').textContent = ''")
        }
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func thatABootMayEndWithoutAScreenIsSaid() throws {
      let run = Simulator(try PublishedBoot().pond.model(), SimulationPlan()).run()

      try Browser.using { browser in
        try browser.open(run.page())

        #expect(
          try browser.text("document.querySelector('header').innerText").contains(
            "Of 368 endings, 88 have none and 48 have two of the ends showOffline, showSubscribe, "
              + "showSignUp, startOovium and invalid."))
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
