import Testing

@testable import People

@Suite struct SearchWordsTests {
  @Test(arguments: [
    ("Zoë MÜLLER", ["zoe", "muller"]), ("O'Brien", ["o", "brien"]), ("Łukasz", ["lukasz"]),
    ("Jørgensen Weiß", ["jorgensen", "weiss"]), ("  a\t\nb\u{0}c  ", ["a", "b", "c"]),
    ("İsmail Ağaoğlu", ["ismail", "agaoglu"]), ("\u{202E}Ann\u{202C}", ["ann"]),
    ("a\u{200D}n\u{AD}n", ["ann"]), ("", []), ("'-.,;:!?()[]", []), ("🏔️", ["🏔"]),
    ("Ｗｉｄｅ ﬁne", ["wide", "fine"]), ("e\u{301}", ["e"]), ("ΠΑΠΠΆΣ", ["παππασ"]),
  ])
  func wordsAreFolded(text: String, words: [String]) {
    #expect(SearchWords.words(of: text) == words)
  }

  @Test func aNameIsAlsoFoundAsOneWord() {
    #expect(SearchWords.entries(of: "O'Brien") == ["o", "brien", "obrien"])
    #expect(SearchWords.entries(of: "Ann") == ["ann"])
    #expect(SearchWords.entries(of: "").isEmpty)
  }

  @Test func excerptsOfForeignTextAreHarmless() {
    #expect("\u{0}a\u{202E}b\n".excerpt == "ab")
    #expect(
      String(repeating: "x", count: 1_000_000).excerpt == String(repeating: "x", count: 20) + "…")
  }
}
