import Foundation
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for Home in a real browser, with a real server and a real database.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .serialized,
  .timeLimit(.minutes(10)))
struct HomePageTests {
  /// Returns an expression for the state of a section on the page.
  private static func state(_ name: HomeSections.Name) -> String {
    "document.getElementById('\(name)').dataset.state"
  }

  private static let latest = "document.querySelectorAll('#latest .list > li').length"

  @Test func whatPeopleDoNeedsNoOtherPage() async throws {
    let slow = Turnstile()
    try await HomeServer.using(patience: .milliseconds(50)) { server in
      try await Browser.using { browser in
        // What is slow comes by itself.
        server.obstacles.put(.held(by: slow), before: .cores)
        server.obstacles.put(.failure("no disk"), before: .failures)
        try await browser.open(server.url)
        _ = try await browser.value("window.isTheSamePage = true")
        try await browser.wait("\(Self.state(.failures)) === 'failed'")
        #expect(try await browser.text(Self.state(.cores)) == "loading")
        slow.open()
        try await browser.wait("\(Self.state(.cores)) === 'there'")

        // A section has a retry of its own.
        try await browser.click("#failures [data-section]")
        try await browser.wait(
          "document.getElementById('told').textContent.endsWith('failed again.')")
        server.obstacles.put(nil, before: .failures)
        try await browser.click("#failures [data-section]")
        try await browser.wait("\(Self.state(.failures)) === 'there'")

        // More is shown in place, and the keyboard goes on at the first that is new.
        try await browser.click("#latest [data-section]")
        try await browser.wait("\(Self.latest) === 10")
        #expect(try await browser.text("document.activeElement.textContent") == "past 6")
        #expect(try await browser.text("location.search") == "?latest=2")
        try await browser.click(".pages a:last-child")
        try await browser.wait("document.querySelectorAll('#cores tbody tr').length === 1")

        // To refresh keeps what is shown, and asks for all of it.
        let before = server.obstacles.counts["next", default: 0]
        try await browser.press("r")
        try await browser.wait("document.getElementById('told').textContent === 'Refreshed.'")
        #expect(server.obstacles.counts["next", default: 0] > before)
        #expect(try await browser.number(Self.latest) == 10)
        try await pull(browser)
        #expect(try await browser.isTrue("window.isTheSamePage"))
        #expect(try await browser.complaints().isEmpty)

        // What is shown stays where the server has gone.
        _ = await server.site.close()
        try await browser.press("r")
        try await browser.wait("document.getElementById('trouble') !== null")
        #expect(
          try await browser.text("document.getElementById('trouble').textContent").hasPrefix(
            "The server answered with 503, and no page."))
        #expect(try await browser.number(Self.latest) == 10)
      }
    }
  }

  private func pull(_ browser: Browser) async throws {
    func touch(_ type: String, y: Int?) async throws {
      let points: [JSONValue] = y.map { [["x": 100, "y": .number(Double($0))]] } ?? []
      try await browser.command(
        "Input.dispatchTouchEvent", ["type": .string(type), "touchPoints": .array(points)])
    }
    let said = "document.getElementById('pull').textContent"
    let told = "document.getElementById('told').textContent"
    _ = try await browser.value("scrollTo(0, 0)")
    _ = try await browser.value("\(told) = ''")
    try await touch("touchStart", y: 200)
    try await touch("touchMove", y: 240)
    #expect(try await browser.text(said) == "Pull to refresh")
    // A little is no pull.
    try await touch("touchEnd", y: nil)
    #expect(try await browser.text(told) == "")

    try await touch("touchStart", y: 200)
    try await touch("touchMove", y: 400)
    #expect(try await browser.text(said) == "Let go to refresh")
    try await touch("touchEnd", y: nil)
    try await browser.wait("\(told) === 'Refreshed.'")
  }

  @Test func keysLeadFromPageToPage() async throws {
    try await HomeServer.using { server in
      try await Browser.using { browser in
        try await browser.open(server.url)
        try await browser.press("?")
        try await browser.wait("document.getElementById('keys').open")
        #expect(
          try await browser.text(
            "[...document.querySelectorAll('#keys dt')].map(key => key.textContent).join('')")
            == "1234/?r")
        // In the dialog they are no keys of the page.
        try await browser.press("2")
        #expect(try await browser.text("location.pathname") == "/")
        try await browser.press("Escape")

        for (key, path) in [("2", "/search"), ("3", "/people"), ("1", "/")] {
          try await browser.press(key)
          try await browser.wait(
            "location.pathname === '\(path)' && document.readyState === 'complete'")
          try await browser.wait("document.getElementById('show-keys').hidden === false")
          #expect(
            try await browser.text("document.querySelector('nav [aria-current=page]').pathname")
              == path)
          // Left by the keyboard, a field takes no digits.
          _ = try await browser.value("document.activeElement.blur()")
        }

        // A page without a search leads to that for launches, ready to be typed into.
        for path in ["/", "/launches/soon"] {
          try await browser.open(server.url + path)
          try await browser.wait("document.getElementById('show-keys').hidden === false")
          try await browser.press("/")
          try await browser.wait(
            "location.pathname === '/search' && document.activeElement.id === 'text'")
        }
      }
    }
  }

  /// Checks general rules for the layout and the names of elements, in a wide and in a narrow
  /// window.
  @Test func itHoldsTogetherOnAPhoneAndIsNamed() async throws {
    var long = HomeServer.launch(
      String(repeating: "Supercalifragilistic", count: 12), 60, upcoming: true)
    long.details = String(repeating: "w", count: 600)
    try await HomeServer.using([long] + HomeServer.launches) { server in
      try await Browser.using { browser in
        for width in [390.0, 1440.0] {
          try await browser.command(
            "Emulation.setDeviceMetricsOverride",
            [
              "width": .number(width), "height": 844, "deviceScaleFactor": 1,
              "mobile": .bool(width < 500),
            ])
          try await browser.open(server.url)
          #expect(
            try await browser.number(
              "document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0)
        }
        #expect(
          try await browser.number(
            """
            [...document.querySelectorAll('a, button')]
              .filter(one => !one.hidden && one.textContent.trim() === '').length
            """) == 0)
        #expect(
          try await browser.text(
            "[...document.querySelectorAll('h1, h2')].map(one => one.tagName[1]).join('')")
            == "1222222")
        let ids = "[...document.querySelectorAll('[id]')].map(one => one.id)"
        #expect(try await browser.number("\(ids).length - new Set(\(ids)).size") == 0)
        #expect(
          try await browser.isTrue(
            "/^in \\d|^any/.test(document.querySelector('[data-until]').textContent)"))
        #expect(try await browser.complaints().isEmpty)
      }
    }
  }
}
