import Testing

@testable import PebblesPictures

@Suite struct MarkupEscapingTests {
  @Test(
    arguments: [
      ("plain text, ✓ and 🪨", "plain text, ✓ and 🪨"),
      (
        "</script><b a=\"1\" c='2'>&amp;",
        "&lt;/script&gt;&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;"
      ),
      ("a\u{0}b\nc\u{7F}\u{85}\u{FFFE}", "a␀b␊c␡\u{FFFD}\u{FFFD}"),
      ("##[error] #[x] ###[\u{301}", "##&#91;error] #[x] ###&#91;\u{301}"),
      ("", ""),
    ])
  func namesAreTextInMarkup(text: String, markup: String) {
    #expect(text.inMarkup == markup)
  }
}
