import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for the Boot page in a real browser, while the real boot is under way.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .serialized,
  .timeLimit(.minutes(10)))
struct BootPageTests {
  /// Returns an expression for the state and the label of a pebble's row in the timeline.
  private static func row(of pebble: String) -> String {
    """
    [...document.querySelectorAll('.row:not([hidden])')]
      .filter(row => row.querySelector('.text').textContent === '\(pebble)')
      .map(row => row.classList.item(1) + ': ' + row.querySelector('.label').textContent)[0]
    """
  }

  /// Checks that the page follows a boot to its end. The feeds answer only when the test lets them.
  @Test func aBootIsWatchedToItsEndWithoutAReload() async throws {
    let folder = try Folder()
    let (launches, cores) = (Gate(), Gate())
    let feed = LaunchFeed(
      launches: .late(launches, LaunchFeed.launches(1...20)),
      cores: .late(cores, LaunchFeed.cores(1...5)))
    try await feed.serve { address in
      let boot = Boot(limits: .patient, logger: quiet, around: untouched) {
        var settings = Settings()
        settings.port = 0
        settings.database = folder.file("tracker.sqlite")
        settings.feed = address
        settings.people = 100
        return settings
      }
      let run = try boot.pond.start()
      defer { run.cancel() }
      let port = try await boot.port(in: run)

      try await Browser.using { browser in
        try await browser.open("http://127.0.0.1:\(port)/")
        try await browser.wait("document.title === 'tracker · booting'")
        #expect(try await browser.text("location.pathname") == "/boot")
        try await browser.wait("\(Self.row(of: "migrate"))?.startsWith('succeeded')")
        for pebble in ["fetchLaunches", "fetchCores"] {
          try await browser.wait("\(Self.row(of: pebble))?.startsWith('running')")
        }
        #expect(
          try await browser.text(Self.row(of: "storeLaunches"))
            == "waiting: waits for fetchLaunches")
        // A service goes on: that it was quick to be ready is not the end of it.
        #expect(try await browser.text(Self.row(of: "http")).hasSuffix(", still up"))
        _ = try await browser.value("window.isTheSamePage = true")

        // Time goes on while nothing is told.
        let label = Self.row(of: "fetchCores")
        _ = try await browser.value("window.earlierLabel = \(label)")
        try await browser.wait("\(label) !== window.earlierLabel")

        launches.open()
        try await browser.wait("\(Self.row(of: "storeLaunches"))?.startsWith('succeeded')")
        #expect(try await browser.text(Self.row(of: "fetchCores")).hasPrefix("running"))
        #expect(try await browser.isTrue("window.isTheSamePage"))
        let settled = "\(run.status.settled) of \(run.status.total) settled"
        try await browser.wait(
          "document.getElementById('verdict').textContent.includes('\(settled)')")

        // The page becomes that of the report by itself.
        cores.open()
        try await browser.wait("!document.title.endsWith('booting') && document.body")
        try await browser.wait("\(Self.row(of: "storeCores"))?.startsWith('succeeded')")
        #expect(try await browser.isTrue("window.isTheSamePage === undefined"))
        #expect(try await browser.complaints().isEmpty)

        // And leads to the rest of the site by its keys.
        try await browser.press("1")
        try await browser.wait("location.pathname === '/'")
      }
      try await run.shutdown().check()
    }
  }
}
