import Testing

@testable import People

@Suite struct PrefixIndexTests {
  private let texts = [
    ["ann"], ["o", "brien", "obrien"], [], ["anna"], ["\u{1100}\u{1161}"], ["an", "ana"], ["zoe"],
  ]

  @Test(arguments: [
    ("", [0, 1, 1, 1, 3, 4, 5, 5, 6]), ("a", [0, 3, 5, 5]), ("an", [0, 3, 5, 5]), ("ann", [0, 3]),
    ("anna", [3]), ("annab", []), ("b", [1]), ("o", [1, 1]), ("zoe", [6]), ("zz", []), ("A", []),
    // Half of a character.
    ("\u{1100}", [4]), ("\u{1101}", []),
  ])
  func wordsAreFoundByHowTheyBegin(beginning: String, words: [Int]) {
    #expect(PrefixIndex(texts).words(beginningWith: beginning).sorted() == words)
  }

  @Test func nothingIsFoundAmongNoWords() {
    #expect(PrefixIndex([]).words(beginningWith: "").isEmpty)
    #expect(PrefixIndex([]).words(beginningWith: "a").isEmpty)
  }

  @Test func itFindsWhatALookAtEachFinds() {
    let vocabulary = People.some.vocabulary.map(SearchWords.entries)
    let index = PrefixIndex(vocabulary)
    for beginning in Set(vocabulary.joined().flatMap { [$0, String($0.prefix(1))] }) {
      let slow = vocabulary.indices.flatMap { word in
        vocabulary[word].filter { $0.utf8.starts(with: beginning.utf8) }.map { _ in word }
      }
      #expect(index.words(beginningWith: beginning).sorted() == slow, "\(beginning)")
    }
  }
}
