import Foundation
import Testing

@testable import PebblesPictures

extension BrowserTests {
  /// Measurements of a page with 100,000 pebbles, in time on the main thread of the browser. Other
  /// work on the machine hardly affects this time.
  @Suite(
    .enabled(
      if: ProcessInfo.processInfo.environment["PAGE_FIGURES"] != nil,
      "Figures are taken with PAGE_FIGURES=1 in the environment"))
  struct PageFigures {
    @Test func aPageOf100000PebblesIsQuick() throws {
      let page = try largeRun(count: 100_000).page()
      try Browser.using(height: 1_000) { browser in
        try browser.command("Performance.enable", ["timeDomain": "threadTicks"])
        let opening = try browser.mainThreadTime { try browser.open(page) }
        _ = try browser.wait("performance.now() > 3000 || null")
        let scrolling = try browser.mainThreadTime { _ = try browser.wait(Self.scrolling) } / 200
        let zooming = try browser.mainThreadTime { _ = try browser.wait(Self.zooming) } / 100
        print(
          """
          usable after \(Int(opening)) ms, a frame that scrolls by 10 rows \
          \(scrolling.formatted(.number.precision(.fractionLength(1)))) ms, one that zooms \
          \(zooming.formatted(.number.precision(.fractionLength(1)))) ms
          """)
        #expect(opening < 1_500 && scrolling < 8 && zooming < 20)
      }
    }

    private static let scrolling = """
      (() => {
        document.getElementById('rows').scrollTop += 240;
        return (window.frames10 = (window.frames10 ?? 0) + 1) >= 200 ? true : null;
      })()
      """

    private static let zooming = """
      (() => {
        window.zooms = (window.zooms ?? 0) + 1;
        const key = window.zooms % 20 < 10 ? '+' : '-';
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        return window.zooms >= 100 ? true : null;
      })()
      """
  }
}

extension Browser {
  /// Returns the time that an action takes on the main thread, in milliseconds.
  fileprivate func mainThreadTime(of action: () throws -> Void) throws -> Double {
    func time() throws -> Double {
      let metrics = try command("Performance.getMetrics")["metrics"] as? [[String: Any]] ?? []
      let task = metrics.first { $0["name"] as? String == "TaskDuration" }
      return (task?["value"] as? Double ?? 0) * 1_000
    }
    let before = try time()
    try action()
    return try time() - before
  }
}
