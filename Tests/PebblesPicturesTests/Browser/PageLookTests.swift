import PebblesTestSupport
import Testing

@testable import PebblesPictures

extension BrowserTests {
  /// Tests of how the page looks, how screen readers read it, and how it is printed.
  @Suite struct PageLookTests {
    /// The background colors for each text color. The Web Content Accessibility Guidelines require
    /// a contrast of 4.5 to 1 for text (1.4.3).
    private static let pairs = [
      "text": ["background", "panel", "picked", "changed"],
      "soft": ["background", "panel", "picked", "changed"],
      "accent": ["background", "panel"], "running": ["background"],
      "succeeded": ["background", "panel", "picked", "changed"],
      "failed": ["background", "panel", "picked", "changed"],
      "skipped": ["background", "panel", "picked", "changed"], "background": ["succeeded", "text"],
    ]

    @Test(arguments: ["light", "dark"])
    func everyPairOfColoursHasContrast(scheme: String) throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        try browser.emulate("prefers-color-scheme", scheme)

        for (ink, papers) in Self.pairs {
          for paper in papers {
            let contrast = try browser.number("\(Self.contrast)('--\(ink)', '--\(paper)')")
            #expect(contrast >= 4.5, "\(ink) on \(paper), \(scheme)")
          }
        }
      }
    }

    private static let contrast = """
      ((ink, paper) => {
        const style = getComputedStyle(document.documentElement);
        const luminance = name => {
          let hex = style.getPropertyValue(name).trim().slice(1);
          if (hex.length === 3) hex = [...hex].map(digit => digit + digit).join('');
          return [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => {
            const part = parseInt(hex.slice(2 * k, 2 * k + 2), 16) / 255;
            const light = part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
            return sum + weight * light;
          }, 0);
        };
        const [light, dark] = [luminance(ink), luminance(paper)].sort((a, b) => b - a);
        return (light + 0.05) / (dark + 0.05);
      })
      """

    @Test func screenReadersFindTheirWay() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        try browser.press("Down")

        let tree = try browser.command("Accessibility.getFullAXTree")
        let nodes = (tree["nodes"] as? [[String: Any]] ?? []).filter {
          $0["ignored"] as? Bool != true
        }
        let roles = nodes.compactMap { ($0["role"] as? [String: Any])?["value"] as? String }

        for (role, count) in [
          "treegrid": 1, "row": 9, "rowheader": 9, "gridcell": 9, "searchbox": 1, "combobox": 2,
          "complementary": 1, "main": 1, "banner": 1, "navigation": 1, "search": 1,
        ] {
          #expect(roles.count { $0 == role } == count, "\(role)")
        }
        #expect(
          try browser.text("document.getElementById('status').textContent")
            == "config. Succeeded after 12.0 ms.")
        #expect(
          try browser.isTrue(
            """
            document.getElementById(document.getElementById('rows')
              .getAttribute('aria-activedescendant')).ariaSelected === 'true'
            """))
      }
    }

    @Test func onPaperUpTo2000RowsAreThere() throws {
      try Browser.using { browser in
        try browser.open(try largeRun(count: Thoroughness.isFull ? 3_000 : 2_200).page())
        try browser.press("o")
        let rows = "document.querySelectorAll('.row:not([hidden])').length"
        #expect(try browser.number(rows) < 100)

        let paper = try browser.command("Page.printToPDF")
        #expect((paper["data"] as? String ?? "").utf8.count > 100_000)
        _ = try browser.value("dispatchEvent(new Event('beforeprint'))")
        #expect(try browser.number(rows) == 2_000)
        _ = try browser.value("dispatchEvent(new Event('afterprint'))")
        #expect(try browser.number(rows) < 100)
      }
    }

    @Test func narrowScreensNeedNoScrollingSideways() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page(), fragment: "#pebble=showHome")
        try browser.command(
          "Emulation.setDeviceMetricsOverride",
          ["width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": false])
        _ = try browser.wait("true")

        #expect(try browser.isTrue("document.documentElement.scrollWidth <= 390"))
        // Names that need more lines make their rows taller.
        #expect(
          try browser.isTrue(
            """
            [...document.querySelectorAll('.row:not([hidden])')]
              .map(row => row.getBoundingClientRect())
              .sort((one, other) => one.top - other.top)
              .every((box, k, all) => !k || Math.abs(all[k - 1].bottom - box.top) < 1)
            """))
      }
    }
  }
}
