import Foundation
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for the page in a real browser, with a real server and a real database.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .serialized,
  .timeLimit(.minutes(10)))
struct SearchPageTests {
  private static let launches = (1...45).map {
    Launch.named("Starlink \($0)", "Falcon 9", day: $0)
  }

  private static let names =
    "[...document.querySelectorAll('#launches h2')].map(h => h.textContent)"
  private static let marks =
    "[...document.querySelectorAll('#launches mark')].map(mark => mark.textContent)"
  private static let status = "document.getElementById('status').textContent"

  /// Opens the page, and calls a closure with it.
  private func using(
    _ launches: [Launch] = launches, pageSize: Int = 100,
    opening path: String = "/search",
    _ test: @Sendable (Browser, SearchServer) async throws -> Void
  ) async throws {
    try await SearchServer.using(SearchDatabase(launches), pageSize: pageSize) { server in
      try await Browser.using { browser in
        try await browser.open(server.url + path)
        try await test(browser, server)
      }
    }
  }

  /// Types a string without a pause between the letters, regardless of how slow the machine is.
  private func enter(_ text: String, _ browser: Browser) async throws {
    let literal = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    _ = try await browser.value(
      """
      (() => {
        const field = document.getElementById("text");
        field.focus();
        field.value = "";
        for (const character of \(literal)) {
          field.value += character;
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }
      })()
      """)
  }

  private func shows(_ phase: String, _ browser: Browser) async throws {
    try await browser.wait("document.body.dataset.phase === '\(phase)'")
  }

  @Test func whatIsTypedIsFound() async throws {
    try await using { browser, server in
      try await shows("ready", browser)
      try await browser.type("starlink 44", into: "#text")
      try await browser.wait("\(Self.names).join() === 'Starlink 44'")

      // How often a person paused, the machine decides.
      #expect(server.visits.queries.last == "starlink 44")
    }
  }

  @Test func typingIsOneRequestForAPause() async throws {
    try await using { browser, server in
      try await shows("ready", browser)
      try await enter("starlink 4", browser)
      try await browser.wait("\(Self.status) === '7 of 45 launches with “starlink 4”'")

      // The page came with the newest.
      #expect(server.visits.queries == ["starlink 4"])
      #expect(try await browser.text("\(Self.marks).slice(0, 2)") == "Starlink,4")
      #expect(try await browser.text("location.search") == "?q=starlink%204")
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func aRepeatIsNotAskedFor() async throws {
    try await using { browser, server in
      try await shows("ready", browser)
      try await enter("44", browser)
      try await browser.wait("\(Self.status).startsWith('1 of 45 ')")
      try await browser.press(" ", "Backspace", "Enter")
      try await browser.press("5", "Enter")
      try await browser.wait("\(Self.status).startsWith('None of 45 ')")

      #expect(server.visits.queries == ["44", "445"])
    }
  }

  @Test func anAnswerThatComesLateIsNotShown() async throws {
    let late = Turnstile()
    try await using { browser, server in
      try await shows("ready", browser)
      server.visits.put(.held(by: late), before: "44")
      try await enter("44", browser)
      try await browser.press("Enter")
      await late.reached(1)
      #expect(try await browser.text(Self.status) == "Searching…")

      try await enter("45", browser)
      try await browser.press("Enter")
      try await browser.wait("\(Self.names).join() === 'Starlink 45'")
      late.open()
      try await browser.press("Escape")
      try await browser.wait("\(Self.names).length === 45")

      #expect(server.visits.queries == ["44", "45", ""])
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func anEmptyAnswerIsSaid() async throws {
    try await using { browser, server in
      try await enter("nobody 🚀 <b>", browser)
      try await browser.press("Enter")
      try await browser.wait("\(Self.status) === 'None of 45 launches with “nobody 🚀 <b>”'")

      #expect(try await browser.number("\(Self.names).length") == 0)
    }
    try await using([]) { browser, _ in
      try await browser.wait("\(Self.status) === 'There are no launches yet.'")
    }
  }

  @Test func aFailureIsSaidAndCanBeTriedAgain() async throws {
    try await using { browser, server in
      try await shows("ready", browser)
      server.visits.put(.failure, before: "44")
      try await enter("44", browser)
      try await browser.press("Enter")
      try await shows("failed", browser)
      #expect(
        try await browser.text(Self.status) == "The server answered 503: the search rests.")
      #expect(try await browser.number("\(Self.names).length") == 0)

      server.visits.put(nil, before: "44")
      try await browser.click("#retry")
      try await browser.wait("\(Self.names).join() === 'Starlink 44'")

      #expect(try await browser.isTrue("document.getElementById('problem').hidden"))
      #expect(try await browser.text("document.activeElement.id") == "text")
    }
  }

  @Test func whatIsNoAnswerIsAFailure() async throws {
    try await using { browser, server in
      for (index, body) in ["", "<html>", "[]", #"{"launches":[{"id":"a"}]}"#, "{\"launches\":["]
        .enumerated()
      {
        try await shows("ready", browser)
        server.visits.put(.body(body), before: "x\(index)")
        try await enter("x\(index)", browser)
        try await browser.press("Enter")
        try await shows("failed", browser)
        #expect(try await browser.text(Self.status).hasSuffix("."))
        try await browser.press("Escape")
      }
    }
  }

  @Test func scrollingLoadsTheNextPage() async throws {
    try await using(pageSize: 20) { browser, server in
      try await browser.wait("\(Self.names).length >= 20")
      try await browser.wait("(scrollTo(0, 1e9), \(Self.names).length === 45)")

      #expect(server.visits.queries == ["+", "+"])
      #expect(
        try await browser.text("\(Self.names).join()")
          == Self.launches.reversed().map(\.name).joined(separator: ","))
      #expect(try await browser.text(Self.status) == "45 launches")
      #expect(try await browser.isTrue("document.getElementById('more').hidden"))
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func withoutScrollingOnlyWhatIsSeenIsLoaded() async throws {
    try await using(pageSize: 20) { browser, server in
      try await browser.wait(
        "document.getElementById('shown').textContent === '20 of 45 are shown'")

      #expect(server.visits.queries.isEmpty)
    }
  }

  @Test func aFailureOfTheNextPageKeepsTheFirst() async throws {
    try await using(pageSize: 20) { browser, server in
      try await shows("ready", browser)
      server.visits.put(.failure, before: "+")
      _ = try await browser.value("scrollTo(0, 1e9)")
      try await shows("failed", browser)
      #expect(try await browser.number("\(Self.names).length") == 20)

      server.visits.put(nil, before: "+")
      try await browser.click("#retry")
      try await browser.wait("\(Self.names).length === 40")
    }
  }

  @Test func whatIsInDataIsText() async throws {
    let hostile = [
      "<script>document.title = 'hacked'</script>",
      "<img src=x onerror=\"document.title='hacked'\">",
      "</li></ol><h1>hacked</h1>", "&lt;b&gt; &amp;", "\u{202E}dekcah", "javascript:alert(1)",
      "${document.title='hacked'}", "'\"><svg onload=alert(1)>", "\u{1F468}\u{200D}\u{1F680}",
    ]
    let launches = hostile.enumerated().map {
      Launch.named($1, "\($1) in the details", day: $0, id: "\($0)<\"'")
    }
    try await using(launches) { browser, _ in
      try await browser.wait("\(Self.names).length === \(hostile.count)")

      let shown = try await browser.value(Self.names).elements.compactMap(\.text)
      #expect(shown == hostile.reversed())
      #expect(try await browser.text("document.title") == "Launches · Launch tracker")
      #expect(
        try await browser.number(
          "document.querySelectorAll('main script, main img, main svg').length")
          == 0)
      #expect(try await browser.number("document.querySelectorAll('h1').length") == 1)
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func aQueryInTheAddressIsTextToo() async throws {
    let query = "%3Cimg%20src%3Dx%20onerror%3D%22document.title%3D'hacked'%22%3E"
    try await using(opening: "/search?q=\(query)") { browser, server in
      try await shows("ready", browser)

      #expect(server.visits.queries.isEmpty)
      #expect(
        try await browser.text("document.getElementById('text').value")
          == "<img src=x onerror=\"document.title='hacked'\">")
      #expect(try await browser.text("document.title") == "Launches · Launch tracker")
      #expect(try await browser.number("document.querySelectorAll('img').length") == 0)
    }
  }

  @Test func theKeyboardDoesIt() async throws {
    try await using(pageSize: 20) { browser, server in
      try await shows("ready", browser)
      try await browser.press("/")
      #expect(try await browser.text("document.activeElement.id") == "text")
      // In the field it is a character.
      try await browser.press("/", "Enter")
      #expect(try await browser.text("document.getElementById('text').value") == "/")
      try await browser.press("Escape")
      #expect(try await browser.text("document.getElementById('text').value") == "")
      try await browser.wait("\(Self.names).length === 20")

      // To be at the link is to see the end.
      _ = try await browser.value("document.getElementById('more').focus()")
      try await browser.wait("\(Self.names).length === 40")
      #expect(try await browser.text("document.activeElement.id") == "more")
      // Where it goes, the first that is new has its place.
      try await browser.press("Enter")
      try await browser.wait("\(Self.names).length === 45")
      #expect(
        try await browser.text("document.activeElement.textContent")
          == "Starlink 5")
    }
  }

  @Test func whoDoesNotSeeIsTold() async throws {
    try await using { browser, _ in
      try await shows("ready", browser)
      let tree = try await browser.command("Accessibility.getFullAXTree")
      let nodes = tree["nodes"].elements.map {
        "\($0["role"]["value"].text ?? "") \($0["name"]["value"].text ?? "")"
      }

      #expect(nodes.contains("searchbox Search launches"))
      #expect(nodes.contains("list Launches"))
      #expect(nodes.contains { $0.hasPrefix("status") })
      #expect(nodes.contains("heading Starlink 45"))
      #expect(nodes.contains("heading Launches"))
    }
  }

  @Test func itIsReadableInLightAndInTheDark() async throws {
    try await using(opening: "/search?q=falcon") { browser, _ in
      try await shows("ready", browser)
      for scheme in ["light", "dark"] { try await expectContrast(in: scheme, browser) }
      try await browser.open("\(try await browser.text("location.origin"))/launches/Starlink%201")
      for scheme in ["light", "dark"] { try await expectContrast(in: scheme, browser) }
    }
  }

  private func expectContrast(in scheme: String, _ browser: Browser) async throws {
    try await browser.prefer(scheme)
    let contrasts = try await browser.value(
      """
      (() => {
        const luminance = color => {
          const [r, g, b] = color.match(/[\\d.]+/g).map(Number)
            .map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = element => {
          const color = getComputedStyle(element).backgroundColor;
          return color === "rgba(0, 0, 0, 0)" ? ground(element.parentElement) : color;
        };
        return ["h1", "#hint", "#status", "h2 bdi", ".facts time", ".badge", "mark", ".details"]
          .map(selector => document.querySelector(selector)).filter(element => element !== null)
          .map(element => {
            const [a, b] = [getComputedStyle(element).color, ground(element)].map(luminance)
              .sort((a, b) => b - a);
            return (a + 0.05) / (b + 0.05);
          });
      })()
      """
    ).elements.compactMap(\.number)

    #expect(contrasts.count >= 4)
    #expect(contrasts.allSatisfy { $0 >= 4.5 }, "\(scheme): \(contrasts)")
  }

  /// Checks that the server and the script render the same launches in the same way.
  @Test func theScriptGoesOnWhereTheServerBegan() async throws {
    var launches =
      Self.launches.prefix(3) + [
        .named("<b>Falcon</b> Crème", "Fal\u{301}con & 🚀 falcon", day: 18_740, id: "a/b?c#d <'\">"),
        .named("Falcon \u{202E}9", "  ", day: -200_000),
      ]
    for (precision, upcoming) in [("month", true), ("hour", true), ("year", false), ("x", true)] {
      var launch = Launch.named("Falcon \(precision)", day: 40_000, id: precision)
      (launch.datePrecision, launch.upcoming) = (precision, upcoming)
      launch.success = upcoming ? nil : false
      if precision == "hour" { launch.date = 1_600_000_000 }
      launches.append(launch)
    }
    try await using(Array(launches)) { browser, server in
      for query in ["falcon", "2021", "creme b", ""] {
        let field = query.replacing(" ", with: "+")
        try await browser.open("\(server.url)/search?q=\(field)")
        let count = try await browser.number(
          """
          (window.served = [...document.getElementById("launches").cloneNode(true).children]).length
          """)
        for text in ["nothing", query] {
          if text.isEmpty {
            try await browser.press("Escape")
          } else {
            try await enter(text, browser)
            try await browser.press("Enter")
          }
          try await browser.wait("\(Self.names).length === \(text == query ? Int(count) : 0)")
        }
        let differences = try await browser.value(
          """
          [...document.getElementById("launches").children].flatMap((made, index) =>
            made.isEqualNode(served[index]) ? [] : [made.outerHTML, served[index].outerHTML])
          """)
        #expect(differences.elements.isEmpty, "\(differences)")
        #expect(count > 0)
      }
      #expect(try await browser.complaints().isEmpty)
    }
  }

  @Test func aLaunchLeadsBackToWhereItWasFound() async throws {
    try await using(opening: "/search?q=starlink+1") { browser, server in
      try await browser.click("#launches li:nth-child(4) a")
      try await browser.wait("document.querySelector('h1').textContent === 'Starlink 17'")
      try await browser.click("[rel=prev]")
      try await browser.wait("document.querySelector('h1').textContent === 'Starlink 16'")

      try await browser.click("#back")
      try await browser.wait("location.hash === '#launch-Starlink%2016'")
      #expect(try await browser.text("document.getElementById('text').value") == "starlink 1")
      #expect(
        try await browser.text("document.querySelector('li:target h2').textContent")
          == "Starlink 16")
      #expect(try await browser.complaints().isEmpty)
    }
  }
}
