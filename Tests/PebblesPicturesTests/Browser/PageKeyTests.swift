import Testing

@testable import PebblesPictures

extension BrowserTests {
  /// Tests that every key has the effect described in the list of keys, and no effect when it
  /// should have none.
  @Suite struct PageKeyTests {
    private static let picked = "decodeURIComponent(location.hash.replace('#pebble=', ''))"

    @Test func keysMoveTheSelection() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        func expect(_ name: String, after keys: String...) throws {
          for key in keys { try browser.press(key) }
          #expect(try browser.text(Self.picked) == name, "after \(keys)")
        }

        try expect("config", after: "Down")
        try expect("login/token", after: "j")
        try expect("config", after: "k", "Up")
        try expect("login/token", after: "n")
        try expect("config", after: "Left")
        try expect("login/token", after: "Right")
        try expect("config", after: "Home")
        let last = try browser.text(
          "[...document.querySelectorAll('.row')].at(-1).querySelector('.text').textContent")
        try expect(last, after: "End")
        try expect("config", after: "PageUp")
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func inTheSearchFieldOnlyUpAndDownAreKeys() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        let value = "document.getElementById('text').value"

        try browser.press("/")
        #expect(try browser.text("document.activeElement.id") == "text")
        try browser.press("show")
        #expect(
          try browser.text("document.getElementById('count').textContent") == "2 of 9 pebbles")
        try browser.press("Left", "Left")
        #expect(try browser.number("document.getElementById('text').selectionStart") == 2)
        try browser.press("Down")
        #expect(try browser.text(Self.picked).hasPrefix("show"))
        try browser.press("Down")
        #expect(try browser.text(Self.picked) == "showOffline")
        try browser.press("Escape")
        #expect(try browser.text(value).isEmpty)
        #expect(try browser.text("document.activeElement.id") == "rows")
        try browser.press("/", "etag")
        #expect(
          try browser.text("document.querySelector('.row:not([hidden]) .text').textContent")
            == "cacheÉtagère")
      }
    }

    @Test func withAModifierAKeyIsTheBrowsers() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        try browser.press("Down")

        try browser.press("j", holding: "Control")

        #expect(try browser.text(Self.picked) == "config")
      }
    }

    @Test func inAListKeysChoose() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())

        _ = try browser.value("document.getElementById('order').focus()")
        try browser.press("n")

        #expect(try browser.text("location.hash").isEmpty)
        #expect(try browser.text("document.getElementById('order').value") == "name")
      }
    }

    @Test func keysZoomAndChangeTheView() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        let isWhole = "document.getElementById('brush').hidden"

        try browser.press("+")
        #expect(try !browser.isTrue(isWhole))
        try browser.press("-")
        #expect(try browser.isTrue(isWhole))
        try browser.press("+", "Escape")
        #expect(try browser.isTrue(isWhole))
        try browser.press("g")
        #expect(try browser.number("document.querySelectorAll('#picture a').length") == 9)
        #expect(try browser.isTrue("document.getElementById('rows').hidden"))
        try browser.press("z", "+", "-", "g")
        #expect(try !browser.isTrue("document.getElementById('rows').hidden"))
        try browser.press("?")
        #expect(try browser.isTrue("document.getElementById('keys').open"))
        try browser.press("Escape")
        #expect(try !browser.isTrue("document.getElementById('keys').open"))
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func whatIsThereIsListedAndNothingElse() throws {
      try Browser.using { browser in
        let keys =
          "[...document.querySelectorAll('#keyList kbd')].map(key => key.textContent).join(' ')"
        try browser.open(bootRun(loginFails: false).page())

        try browser.press("?")

        #expect(try browser.text(keys) == "↓ j ↑ k PgDn PgUp Home End / Esc z + = − o l g c ?")
      }
    }

    @Test func whatIsSaidIsCopied() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page(), fragment: "#pebble=showHome")
        try browser.command(
          "Browser.grantPermissions",
          ["permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]])

        try browser.press("c")
        _ = try browser.wait("document.getElementById('status').textContent === 'Copied.' || null")
        _ = try browser.value(
          "void navigator.clipboard.readText().then(text => { window.copied = text })")

        let text = "\(try browser.wait("window.copied ?? null"))"
        #expect(text.hasPrefix("⊘ showHome\n\nBlocked at 52.0 ms: its condition became false.\n"))
        #expect(text.contains("At the root, login/token failed: no route to host."))
        #expect(
          text.contains("Why it did not run:\n✗ all of\n  ✗ login/token succeeded – it failed\n"))
      }
    }
  }
}
