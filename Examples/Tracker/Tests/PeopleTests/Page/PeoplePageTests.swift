import Foundation
import Testing
import TrackerTestSupport

@testable import People
@testable import PeoplePage

/// Tests for the page in a real browser, with a real server.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .serialized,
  .timeLimit(.minutes(20)))
struct PeoplePageTests {
  private static let count = "document.getElementById('count').textContent"
  private static let selected = "document.querySelector('.row[aria-selected=true]:not([hidden])')"
  private static let names = """
    [...document.querySelectorAll('.row:not([hidden])')].sort((one, other) =>
      one.place - other.place).map(row => row.children[0].textContent)
    """

  /// Calls a closure with a browser that has loaded and filled the page.
  func onPage(
    _ service: PeopleService = PeopleService(.some), width: Int = 1440, height: Int = 900,
    _ test: @escaping @Sendable (Browser, PeopleServer) async throws -> Void
  ) async throws {
    try await PeopleServer.using(service) { server in
      try await Browser.using(width: width, height: height) { browser in
        try await browser.open("\(server.address)/people")
        try await test(browser, server)
      }
    }
  }

  @Test func filtersNarrowTheListAndAreIndependent() async throws {
    try await onPage { browser, _ in
      #expect(try await browser.text(Self.count) == "3,000 people")
      try await browser.type("ann", into: "#name")
      try await browser.wait("\(Self.count).includes(' of ')")
      #expect(
        try await browser.isTrue(
          "\(Self.names).every(name => /(^|[ -])ann/i.test(name.normalize('NFD')))"))
      let named = try await browser.text(Self.count)

      try await browser.click("#blood-types label:nth-child(1)")
      try await browser.wait("\(Self.count) !== '\(named)'")
      #expect(
        try await browser.isTrue(
          """
          [...document.querySelectorAll('.row:not([hidden]) .type')]
            .every(e => e.textContent !== 'O+')
          """))
      try await browser.click("#blood-types label:nth-child(1)")
      try await browser.wait("\(Self.count) === '\(named)'")

      try await browser.type("40", into: "#size-from")
      try await browser.type("40.5", into: "#size-to")
      try await browser.wait("\(Self.count) !== '\(named)' && document.title")
      try await browser.wait(
        """
        [...document.querySelectorAll('.row:not([hidden]) .size')]
          .every(e => ['40', '40.5'].includes(e.textContent))
        """)
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func filtersAreInTheAddressAndCanBeGoneBackTo() async throws {
    try await onPage { browser, server in
      try await browser.open("\(server.address)/people?name=ann&types=O%2B&from=40&order=size")
      try await browser.wait("\(Self.count).includes(' of ')")
      let found = try await browser.text(Self.count)
      let fields = "['name', 'size-from', 'order'].map(id => document.getElementById(id).value)"
      #expect(try await browser.text(fields) == "ann,40,size")
      #expect(
        try await browser.number(
          "document.querySelectorAll('#blood-types input:checked').length") == 1)
      #expect(
        try await browser.text("document.getElementById('fold').textContent") == "Filters (2)")

      try await browser.type("e", into: "#name")
      try await browser.wait("location.search.startsWith('?name=anne&')")
      try await browser.wait("\(Self.count) !== '\(found)'")
      _ = try await browser.value("history.back()")
      try await browser.wait("\(Self.count) === '\(found)'")
      #expect(try await browser.text(fields) == "ann,40,size")

      let hostile = "types=%3Cb%3E&from=1e9&order=%22"
      try await browser.open("\(server.address)/people?\(hostile)")
      #expect(try await browser.text(Self.count) == "3,000 people")
      let notice = try await browser.text("document.getElementById('notice').textContent")
      #expect(notice.contains("“<b>”, which is no blood type; the shoe sizes"))
      try await browser.type("ann", into: "#name")
      try await browser.wait("location.search === '?name=ann'")
      #expect(try await browser.isTrue("document.getElementById('notice').hidden"))
      #expect(try await browser.complaints().isEmpty)
    }
  }

  /// Checks that the values are next to the names and exactly below their headings, that the space
  /// above the list is small on a phone, and that the filters can be opened and closed.
  @Test func headsAreOverTheirColumns() async throws {
    try await onPage { browser, _ in
      for (width, height) in [(1_440, 900), (390, 844)] {
        try await browser.resize(width: width, height: height)
        let lefts = try await browser.value(
          """
          [".head", ".row:not([hidden])"].map(row => [...document.querySelector(row).children]
            .map(cell => cell.getBoundingClientRect().left))
          """
        ).elements.map { $0.elements.compactMap(\.number) }
        #expect(lefts.count == 2 && lefts[0] == lefts[1], "\(lefts)")
        #expect(lefts[0][1] - lefts[0][0] < 480)
        #expect(try await browser.isTrue("document.documentElement.scrollWidth <= \(width)"))
      }
      let controls = "document.getElementById('grid').getBoundingClientRect().top"
      #expect(try await browser.number(controls) <= 160)
      try await browser.click("#fold")
      #expect(try await browser.text("document.getElementById('fold').ariaExpanded") == "true")
      #expect(try await browser.isTrue("document.getElementById('size-from').checkVisibility()"))
      try await browser.click("#fold")
      #expect(try await browser.isTrue("!document.getElementById('size-from').checkVisibility()"))
    }
  }

  @Test func whoDragsTheScrollBarAsksForTenPagesASecondAtMost() async throws {
    try await onPage(PeopleService(.many)) { browser, server in
      _ = try await browser.value(
        """
        (() => {
          window.asked = [];
          const { fetch } = window;
          window.fetch = (...call) => { asked.push(performance.now()); return fetch(...call); };
          window.start = performance.now();
        })()
        """)
      let before = server.pages
      // For the time of ten pages, at each frame somewhere else.
      try await browser.wait(
        """
        ((rows) => {
          rows.scrollTop = (rows.scrollTop + 1_234_567) % 3_900_000;
          return performance.now() > start + 1_300;
        })(document.getElementById('rows'))
        """)
      let most = try await browser.number(
        """
        Math.max(...asked.map(first =>
          asked.filter(time => time >= first && time < first + 1_000).length))
        """)
      #expect((1...10).contains(most))
      try await browser.wait(
        "document.querySelectorAll('.row.absent:not([hidden])').length === 0")
      #expect(server.pages - before <= Int(try await browser.number("asked.length")))
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func whatMatchesNobodySaysSoAndCanBeCleared() async throws {
    try await onPage { browser, _ in
      try await browser.type("xyzzy", into: "#name")
      try await browser.wait("\(Self.count) === '0 of 3,000 people'")
      #expect(try await browser.isTrue("!document.getElementById('empty').hidden"))
      #expect(try await browser.isTrue("document.getElementById('choose').disabled"))

      try await browser.click("#clear")
      try await browser.wait("\(Self.count) === '3,000 people'")
      #expect(try await browser.text("document.getElementById('name').value").isEmpty)
      #expect(try await browser.isTrue("document.getElementById('empty').hidden"))
    }
  }

  @Test func hostileTextIsText() async throws {
    try await onPage { browser, _ in
      for text in ["</script><img src=x onerror=alert(1)>", "\u{202E}ann", "🏔️", "' OR 1=1 --"] {
        // Keys of emoji are not on the driver's keyboard.
        _ = try await browser.value(
          """
          (field => {
            field.value = \(Self.literal(text));
            field.dispatchEvent(new Event('input'));
          })(document.getElementById('name'))
          """)
        try await browser.wait("document.getElementById('grid').ariaBusy === 'false'")
        #expect(try await browser.isTrue("document.getElementById('problem').hidden"), "\(text)")
      }
      try await browser.type("45", into: "#size-from")
      try await browser.type("40", into: "#size-to")
      #expect(
        try await browser.text("document.getElementById('size-problem').textContent")
          == "No size is at least 45 and at most 40.")
      #expect(try await browser.text("document.getElementById('size-to').ariaInvalid") == "true")
      #expect(try await browser.complaints().isEmpty)
    }
  }

  private static func literal(_ text: String) -> String {
    (try? JSONEncoder().encode([text])).map { "\(String(decoding: $0, as: UTF8.self))[0]" } ?? "''"
  }

  @Test func keysMoveTheSelectionOnlyWhileTheyShould() async throws {
    try await onPage { browser, _ in
      func expect(_ place: Int, after keys: String...) async throws {
        for key in keys { try await browser.press(key) }
        try await browser.wait("\(Self.selected)?.place === \(place)")
      }
      try await expect(0, after: "Down")
      try await expect(2, after: "Down", "Down")
      try await expect(1, after: "Up")
      try await expect(2_999, after: "End")
      try await expect(2_999, after: "Down")
      try await expect(0, after: "Home")
      try await browser.press("PageDown")
      let page = try await browser.number("\(Self.selected).place")
      #expect(page > 5)
      try await expect(0, after: "PageUp")
      // With a modifier a key is the browser's.
      try await browser.press("Down", holding: "Control")
      try await expect(0)

      try await browser.press("/", "ann")
      try await browser.wait("\(Self.count).includes(' of ')")
      try await browser.press("Left", "Home", "Right")
      #expect(try await browser.number("document.activeElement.selectionStart") == 1)
      #expect(try await browser.isTrue("\(Self.selected) === null"))
      try await expect(1, after: "Down", "Down")
      #expect(try await browser.text("document.activeElement.value") == "ann")

      // In a number, arrows count; in a choice, they choose.
      _ = try await browser.value("document.getElementById('size-from').focus()")
      try await browser.press("Up")
      #expect(try await browser.text("document.activeElement.value") == "30")
      _ = try await browser.value("document.getElementById('order').focus()")
      try await browser.press("Down")
      try await browser.wait("document.getElementById('order').value === 'size'")
      #expect(try await browser.isTrue("\(Self.selected) === null"))
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func aRowThatIsSelectedIsInSightAndSaid() async throws {
    try await onPage { browser, _ in
      try await browser.press("End")
      try await browser.wait("\(Self.selected)?.place === 2999")
      #expect(try await browser.isTrue(Self.isInSight))
      #expect(
        try await browser.isTrue(
          """
          document.getElementById(document.getElementById('grid')
            .getAttribute('aria-activedescendant')).ariaSelected === 'true'
          """))
      try await browser.wait("!\(Self.selected).classList.contains('absent')")
      #expect(try await browser.text("\(Self.selected).ariaRowIndex") == "3001")
      try await browser.click(".row[aria-rowindex='2999']")
      #expect(try await browser.number("\(Self.selected).place") == 2_997)
    }
  }

  private static let isInSight = """
    (row => {
      const box = document.getElementById('rows').getBoundingClientRect();
      const { top, bottom } = row.getBoundingClientRect();
      return top >= box.top - 1 && bottom <= box.bottom + 1;
    })(document.querySelector('.row[aria-selected=true]:not([hidden])'))
    """

  @Test func someoneIsChosenAndWithTheSameSeedAgain() async throws {
    try await onPage { browser, _ in
      let choice = "document.getElementById('choice').textContent"
      try await browser.click("#choose")
      try await browser.wait(choice)
      let text = try await browser.text(choice)
      let seed = try #require(text.firstMatch(of: /Seed (\d+)\./)?.1)
      try await browser.wait(
        "\(Self.selected) && \(choice).includes(\(Self.selected).children[0].textContent)")
      #expect(try await browser.isTrue(Self.isInSight))

      try await browser.type(String(seed), into: "#seed")
      try await browser.press("Tab")
      try await browser.click("#choose")
      try await browser.wait("\(choice) === \(Self.literal(text))")
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func theAnswerShownIsAlwaysOfTheNewestQuestion() async throws {
    let gate = Gate(at: "order")
    try await onPage(PeopleService(.some, around: gate.around)) { browser, _ in
      gate.holdNext()
      try await browser.type("a", into: "#name")
      await gate.waitForArrival()
      #expect(try await browser.text("document.getElementById('grid').ariaBusy") == "true")
      #expect(try await browser.text(Self.count) == "3,000 people")

      try await browser.type("nn", into: "#name")
      try await browser.wait("document.getElementById('grid').ariaBusy === 'false'")
      let newest = try await browser.text(Self.count)
      gate.open()
      let alone = try await PeopleService(.some).ask(.named("ann"), for: .ann, revision: 0)
      #expect(newest == "\(alone) of 3,000 people")
      #expect(try await browser.text(Self.count) == newest)
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func aServerThatDoesNotAnswerIsSaidAndTriedAgain() async throws {
    try await onPage { browser, _ in
      try await browser.command("Network.enable")
      try await browser.command(
        "Network.emulateNetworkConditions",
        ["offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
      try await browser.type("ann", into: "#name")
      try await browser.wait("!document.getElementById('problem').hidden")
      #expect(
        try await browser.text("document.getElementById('problem-text').textContent")
          == "The server cannot be reached.")

      try await browser.command(
        "Network.emulateNetworkConditions",
        ["offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
      try await browser.click("#retry")
      try await browser.wait("\(Self.count).includes(' of ')")
      #expect(try await browser.isTrue("document.getElementById('problem').hidden"))
    }
  }

  @Test func peopleWhoAreBeingPreparedAreAwaited() async throws {
    let room = PeopleRoom()
    try await PeopleServer.using(room) { server in
      try await Browser.using { browser in
        try await browser.visit("\(server.address)/people")
        try await browser.wait("\(Self.count) === 'The people are being prepared…'")
        #expect(try await browser.isTrue("!document.getElementById('preparing').hidden"))
        #expect(
          try await browser.number(
            "performance.getEntriesByType('navigation')[0].responseStatus") == 503)
        #expect(try await browser.isTrue("document.getElementById('problem').hidden"))
        _ = try await browser.value("window.isTheSamePage = true")

        room.open(PeopleService(.some))
        try await browser.wait("\(Self.count) === '3,000 people'")
        #expect(try await browser.isTrue("window.isTheSamePage"))
        #expect(try await browser.isTrue("document.getElementById('preparing').hidden"))
        #expect(try await browser.isTrue("document.querySelector('.row:not(.absent)')"))
        // That an answer was 503 is all that it complains about.
        #expect(try await browser.complaints().allSatisfy { $0.contains("503") })
      }
    }
  }

  @Test func aListThatTheServerForgotIsAskedForAgain() async throws {
    let service = PeopleService(.some, mostVisitors: 1)
    try await onPage(service) { browser, _ in
      _ = try await service.ask(Question(), for: .bob, revision: 1)
      try await browser.press("End")
      try await browser.wait(
        """
        document.querySelector('.row:not([hidden]):not(.absent)')
          && \(Self.selected) === null && \(Self.count) === '3,000 people'
        """)
      try await browser.press("End")
      try await browser.wait(
        "\(Self.selected)?.place === 2999 && !\(Self.selected).matches('.absent')")
    }
  }

  @Test func rowsSizeThemselvesAndDoNotOverlap() async throws {
    try await onPage(width: 390, height: 800) { browser, _ in
      try await browser.resize(width: 390, height: 800)
      #expect(try await browser.isTrue("document.documentElement.scrollWidth <= 390"))
      var heights: Set<Double> = []
      for _ in 0..<15 {
        _ = try await browser.value("document.getElementById('rows').scrollTop += 700")
        try await browser.wait("document.querySelectorAll('.absent:not([hidden])').length === 0")
        let boxes = try await browser.value(
          """
          [...document.querySelectorAll('.row:not([hidden])')].sort((a, b) => a.place - b.place)
            .map(row => row.getBoundingClientRect()).map(box => [box.top, box.bottom])
          """
        ).elements.map { $0.elements.compactMap(\.number) }
        for (one, next) in zip(boxes, boxes.dropFirst()) { #expect(abs(one[1] - next[0]) < 1) }
        heights.formUnion(boxes.map { $0[1] - $0[0] })
      }
      #expect(heights.count > 1)
    }
  }
}
