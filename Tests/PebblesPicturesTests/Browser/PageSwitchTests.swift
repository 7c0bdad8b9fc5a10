import Pebbles
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// Tests that the page remains correct when it is switched between timeline and graph, between
  /// light and dark colors, or to paper.
  @Suite struct PageSwitchTests {
    private static let isDrawnHidden = "document.getElementById('drawn').hidden"
    private static let picked = "decodeURIComponent(location.hash.replace('#pebble=', ''))"

    @Test func theGraphLeavesNothingBehindAndKnowsNoGroups() throws {
      try Browser.using { browser in
        try browser.open(largeRun(count: 320).page())
        try browser.press("Down")
        #expect(try browser.text(Self.picked).isEmpty)

        // Keys go through pebbles there, though their groups are closed.
        try browser.press("g", "Down")
        #expect(try !browser.isTrue(Self.isDrawnHidden))
        let first = try browser.text(Self.picked)
        try browser.press("Down")
        #expect(try browser.text(Self.picked) != first)
        #expect(try browser.number("document.querySelectorAll('#picture .picked').length") == 1)
        try browser.press("?")
        #expect(
          try !browser.text("document.getElementById('keyList').innerText").contains("the group"))

        // Back in the timeline, the notice is gone, and the selection is there.
        try browser.press("Escape", "g")
        #expect(try browser.isTrue(Self.isDrawnHidden))
        #expect(
          try browser.text("document.querySelector('[aria-selected=true] .text').textContent")
            == browser.text(Self.picked))
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func whatIsPaintedFollowsTheColoursAndIsLightOnPaper() throws {
      try Browser.using { browser in
        try browser.emulate("prefers-color-scheme", "light")
        try browser.open(largeRun(count: 320).page())
        func expect(_ colours: String, _ state: String) throws {
          _ = try browser.wait("true")
          #expect(try browser.text("\(Self.painted)()") == colours, "\(state)")
        }

        try expect("day", "as it comes")
        try browser.emulate("prefers-color-scheme", "dark")
        try expect("night", "at night")
        _ = try browser.value("dispatchEvent(new Event('beforeprint'))")
        try expect("day", "on paper")
        _ = try browser.value("dispatchEvent(new Event('afterprint'))")
        try expect("night", "after printing")
        try browser.press("o", "l")
        try expect("night", "in lanes")
        try browser.emulate("prefers-color-scheme", "light")
        try expect("day", "in lanes by day")
      }
    }

    /// A script that returns the color schemes, `day` or `night`, whose color for success occurs in
    /// a visible canvas.
    private static let painted = """
      (() => {
        const colours = { '0,112,79': 'day', '43,181,140': 'night' }, found = new Set();
        for (const canvas of document.querySelectorAll('canvas')) {
          if (!canvas.checkVisibility() || !canvas.width) continue;
          const { width, height } = canvas;
          const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
          for (let place = 0; place < data.length; place += 4) {
            const colour = colours[data.slice(place, place + 3)];
            if (colour && data[place + 3] === 255) found.add(colour);
          }
        }
        return [...found].join();
      })
      """
  }
}
