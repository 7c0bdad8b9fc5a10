import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// Tests of the page of a run in progress, to which a server sends events over HTTP.
  @Suite(.watched, .enabled(if: LiveServer.isInstalled, Comment(rawValue: LiveServer.howToInstall)))
  struct PageLiveTests {
    private static let verdict = "document.getElementById('verdict').textContent"

    /// A run that waits for its second pebble, and the events that follow.
    private struct Story {
      let page: String
      let status: String
      let events: [RunEvent]
      let ended: String
    }

    private func story() async throws -> Story {
      let (pond, reached, gate) = (Pond("live boot"), Gate(), Gate())
      let config = pond.pebble("config") {}
      let cores = pond.pebble("cores", when: config.succeeded) {
        reached.open()
        await gate.passed()
        throw Breakdown("no <b>route")
      }
      pond.pebble("show", when: cores.succeeded) {}
      let run = try pond.start()
      await reached.passed()
      let events = run.events
      let status = String(decoding: try JSONEncoder().encode(run.status), as: UTF8.self)
      let page = run.livePage(events: "/events", links: [PageLink("Home", to: "/")])
      gate.open()
      let report = try await run.report
      var told: [RunEvent] = []
      for await event in events { told.append(event) }
      return Story(page: page, status: status, events: told, ended: report.page())
    }

    @Test func thePageFollowsTheRun() async throws {
      let story = try await story()
      let server = try LiveServer(page: story.page)
      try server.tell("status", story.status)

      try Browser.using { browser in
        try browser.visit(server.address)
        let running = "document.querySelector('.running .bar').getBoundingClientRect().width"
        let elapsed = "document.getElementById('elapsed').textContent"
        #expect(
          try browser.text(Self.verdict)
            .hasPrefix("booting: 1 of 3 settled, waiting for cores, "))
        // It goes on by itself.
        let before = try browser.text(elapsed)
        _ = try browser.wait("\(elapsed) !== '\(before)' ? true : null")
        #expect(try browser.number(running) > 20)

        // The selection, the search and the graph work meanwhile.
        try browser.press("/", "cores", "Down")
        #expect(try browser.text("location.hash") == "#pebble=cores")
        #expect(
          try browser.text("document.getElementById('detail').innerText").contains("Running: "))
        try browser.press("Escape", "g")
        #expect(
          try browser.text("document.querySelector('a.running').textContent").contains("cores"))
        try browser.press("g")

        // A lost connection is said, and made again.
        try server.cut()
        _ = try browser.wait("\(Self.verdict).startsWith('No answer; trying again.') ? true : null")
        try server.restore()
        try server.tell("status", story.status)
        _ = try browser.wait("\(Self.verdict).startsWith('booting') ? true : null")

        let encoder = JSONEncoder()
        for event in story.events {
          try server.tell(
            event.kind.rawValue, String(decoding: try encoder.encode(event), as: UTF8.self))
        }
        _ = try browser.wait("document.querySelector('.row.failed') ? true : null")
        #expect(
          try browser.text("document.querySelector('.row.failed .label').textContent")
            == "no <b>route")
        #expect(try browser.number("document.querySelectorAll('.row.blocked').length") == 1)

        // In the end there is another page at the same address.
        try server.show(story.ended)
        try server.tell("over", "{}")
        _ = try browser.wait("\(Self.verdict).startsWith('1 failed, 1 blocked') ? true : null")
        #expect(try browser.text("location.hash") == "#pebble=cores")
        #expect(try browser.complaints().filter { !$0.contains("/events") }.isEmpty)
      }
    }

    @Test func whereMotionIsNotWantedItIsDrawnOnceASecond() async throws {
      let story = try await story()
      let server = try LiveServer(page: story.page)
      try server.tell("status", story.status)

      try Browser.using { browser in
        try browser.emulate("prefers-reduced-motion", "reduce")
        try browser.visit(server.address)
        let changes = """
          (() => {
            window.seen ??= new Set();
            window.frames60 = (window.frames60 ?? 0) + 1;
            window.seen.add(document.getElementById('elapsed').textContent);
            return window.frames60 >= 30 ? window.seen.size : null;
          })()
          """
        #expect("\(try browser.wait(changes))".contains(#/^[123]$/#))
      }
    }
  }
}
