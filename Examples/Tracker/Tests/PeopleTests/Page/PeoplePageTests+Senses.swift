import Testing
import TrackerTestSupport

@testable import People

/// Tests for visitors who cannot see the page well, or at all.
extension PeoplePageTests {
  @Test func screenReadersFindTheirWay() async throws {
    try await onPage { browser, _ in
      try await browser.press("Down")
      let nodes = try await browser.command("Accessibility.getFullAXTree")["nodes"].elements
        .filter { $0["ignored"] != true }
      let roles = nodes.compactMap { $0["role"]["value"].text }
      let rows = Int(
        try await browser.number("document.querySelectorAll('.row:not([hidden])').length"))
      for (role, count) in [
        "grid": 1, "row": rows + 1, "rowheader": rows, "gridcell": 2 * rows, "columnheader": 3,
        "searchbox": 1, "spinbutton": 3, "checkbox": 8, "search": 1, "banner": 1, "group": 5,
      ] {
        #expect(roles.count { $0 == role } == count, "\(role)")
      }
      #expect(roles.contains("status"))
      #expect(try await browser.text("document.getElementById('grid').ariaRowCount") == "3001")
    }
  }

  /// Checks that, without JavaScript, the page shows only an explanation and a link to Home.
  @Test func withoutAScriptThereIsASentenceAndAWayOut() async throws {
    try await onPage { browser, server in
      try await browser.command("Emulation.setScriptExecutionDisabled", ["value": true])
      try await browser.visit("\(server.address)/people")
      let text = try await browser.text("document.querySelector('main').innerText")
      let sentence = "for it looks for people while you type. Home shows some of them without."
      #expect(text.hasPrefix("People") && text.hasSuffix(sentence), "\(text)")
      #expect(
        try await browser.text("document.querySelector('main a').getAttribute('href')")
          == "/#people")
    }
  }

  @Test(arguments: ["light", "dark"])
  func everyPairOfColoursHasContrast(scheme: String) async throws {
    try await onPage { browser, _ in
      try await browser.prefer(scheme)
      for ink in ["text", "soft", "accent", "problem"] {
        for paper in ["background", "panel", "picked"] where (ink, paper) != ("problem", "picked") {
          let contrast = try await browser.number("\(Self.contrast)('--\(ink)', '--\(paper)')")
          // By the guidelines for web content (1.4.3).
          #expect(contrast >= 4.5, "\(ink) on \(paper), \(scheme): \(contrast)")
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
          return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        }, 0);
      };
      const [light, dark] = [luminance(ink), luminance(paper)].sort((a, b) => b - a);
      return (light + 0.05) / (dark + 0.05);
    })
    """
}
