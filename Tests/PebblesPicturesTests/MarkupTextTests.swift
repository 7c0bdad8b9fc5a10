import Testing

@testable import PebblesPictures

@Suite struct MarkupTextTests {
  @Test(
    arguments: [
      ("plain text, ✓ and 🪨", "plain text, ✓ and 🪨"),
      (
        "</script><b a=\"1\" c='2'>&amp;",
        "&lt;/script&gt;&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;"
      ),
      ("a\u{0}b\nc\u{7F}\u{85}\u{FFFE}", "a␀b␊c␡\u{FFFD}\u{FFFD}"),
      ("", ""),
    ])
  func namesAreTextInMarkup(text: String, markup: String) {
    #expect(text.inMarkup == markup)
  }

  @Test(
    arguments: [
      ("plain, ✓ and 🪨", "plain, ✓ and 🪨"), ("\"\\", "\\\"\\\\"),
      ("\u{1B}[31m\u{9B}\u{202E}\u{2028}", "\\u001b[31m\\u009b\\u202e\\u2028"),
      ("\u{E0001}", "\\udb40\\udc01"),
    ])
  func whatWouldNotBeSeenIsEscapedInJSON(text: String, json: String) {
    #expect(text.inJSON == "\"\(json)\"")
  }
}
