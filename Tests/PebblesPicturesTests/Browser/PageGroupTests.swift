import Pebbles
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// Tests that the texts of groups, and the details in the panel, are updated with each action.
  @Suite struct PageGroupTests {
    private static let said = "document.getElementById('status').textContent"
    private static let detail = "document.getElementById('detail').innerText"
    private static let focused = "document.activeElement.id"
    private static let label = "document.querySelector('.group .label').textContent"

    @Test func whatIfReachesGroupsAndTheGraphAndFocusStays() throws {
      try Browser.using { browser in
        try browser.open(largeRun(count: 320).page())
        #expect(try browser.text(Self.label).hasPrefix("3 failed, 297 succeeded in "))
        try browser.press("n")

        _ = try browser.wait("document.getElementById('suppose')?.focus() ?? true")
        try browser.press("Enter")

        #expect(try browser.text(Self.focused) == "suppose")
        #expect(try browser.text(Self.said).hasPrefix("If layer1/part5 succeeds"))
        #expect(try browser.text(Self.label).hasPrefix("would be 2 failed, 298 succeeded in "))
        #expect(
          try browser.text("document.querySelector('.group .lane').ariaLabel")
            .hasPrefix("would be 2 failed, 298 succeeded in "))
        try browser.press("g")
        #expect(
          try browser.text("document.querySelector('a.node.changed.succeeded').ariaLabel")
            == "layer1/part5 would succeed")
        #expect(
          try browser.text("document.querySelector('a.node.changed .mark').textContent") == "✓")
        try browser.press("g")
        _ = try browser.value("document.getElementById('forget').focus()")
        try browser.press("Enter")
        #expect(try browser.text(Self.focused) == "detail")
        #expect(try browser.text(Self.said) == "As it was.")
        #expect(try browser.number("document.querySelectorAll('.row.changed').length") == 0)
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func thePanelOfAGroupIsOfWhatIsListedAndItsLinksLead() throws {
      try Browser.using { browser in
        try browser.open(largeRun(count: 320).page(), fragment: "#pebble=layer1%2Fpart5")
        try browser.press("Left")
        #expect(try browser.text(Self.said).hasPrefix("layer1, open. 3 failed"))
        try browser.press("Enter")
        #expect(try browser.text(Self.said).hasPrefix("layer1, closed. 3 failed"))
        try browser.press("/", "part5")
        _ = try browser.wait(
          "\(Self.detail).startsWith('layer1\\n\\n1 failed, 10 succeeded') || null")

        // The link to the pebble that was selected before the group leads there again.
        _ = try browser.value("document.querySelector('#detail a').click()")
        _ = try browser.wait("\(Self.detail).startsWith('✗ layer1/part5\\n') || null")

        // Without groups, none is selected.
        try browser.press("Escape", "Left", "o")
        _ = try browser.wait("\(Self.detail).startsWith('The run\\n') || null")
        #expect(try browser.complaints().isEmpty)
      }
    }
  }
}
