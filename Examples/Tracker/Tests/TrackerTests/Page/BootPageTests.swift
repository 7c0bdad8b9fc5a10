import Testing
import TrackerTestSupport

@testable import TrackerCore

/// The page of the boot in a real browser, while the real boot is under way.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .serialized,
  .timeLimit(.minutes(10)))
struct BootPageTests {
  private static let summary = "document.getElementById('summary').textContent"

  /// What the page says of a pebble, as an expression.
  private static func state(of pebble: String) -> String {
    """
    [...document.querySelectorAll('#pebbles tr')]
      .find(row => row.cells[0].textContent === '\(pebble)')?.cells[1].textContent
    """
  }

  /// The feeds are slow until they are told.
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
        try await browser.open("http://127.0.0.1:\(port)/boot")
        #expect(try await browser.text("document.title") == "The boot, under way")
        try await browser.wait("\(Self.state(of: "migrate")) === 'succeeded'")
        for pebble in ["fetchLaunches", "fetchCores"] {
          try await browser.wait("\(Self.state(of: pebble)) === 'running'")
        }
        #expect(
          try await browser.text(Self.state(of: "storeLaunches")) == "waiting: fetchLaunches")
        _ = try await browser.value("window.isTheSamePage = true")

        launches.open()
        try await browser.wait("\(Self.state(of: "storeLaunches")) === 'succeeded'")
        #expect(try await browser.text(Self.state(of: "fetchCores")) == "running")
        let settled = try #require(
          try await browser.text(Self.summary).split(separator: " ").first.map(String.init))
        #expect(try await browser.isTrue("window.isTheSamePage"))
        #expect(run.status.settled == Int(settled))

        // The page becomes that of the report by itself.
        cores.open()
        try await browser.wait("document.title !== 'The boot, under way' && document.body")
        try await browser.wait("document.body.textContent.includes('storeCores')")
        #expect(try await browser.isTrue("document.getElementById('pebbles') === null"))
        #expect(try await browser.complaints().isEmpty)
      }
      try await run.shutdown().check()
    }
  }
}
