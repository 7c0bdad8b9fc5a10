/// A filter for names. Each search word must be a prefix of a word in the name, or of a part of a
/// word after punctuation. Case, accents and punctuation are ignored.
public struct NameFilter: Leaf {
  /// The maximum length of the search text, in Unicode scalars.
  public static let longestText = 200

  /// The maximum number of search words, not counting prefixes of other search words.
  public static let mostWords = 64

  /// The filter that matches every name.
  public static let anything = NameFilter(words: [], isBlank: true)

  private let words: [String]

  /// Whether the search text contains no words, but only whitespace, punctuation and the like.
  private let isBlank: Bool

  /// Creates a filter from text typed by a visitor, which has no special syntax.
  ///
  /// - Parameter text: The prefixes of words, in any order.
  /// - Throws: ``FilterError`` if the text is too long or has too many words.
  public init(_ text: String) throws {
    // Not counted to the end, because the text may be very long.
    guard text.unicodeScalars.prefix(Self.longestText + 1).count <= Self.longestText else {
      throw FilterError(
        description: """
          A name to look for has at most \(Self.longestText) characters, and this one has more; \
          shorten it.
          """)
    }
    let words = Set(SearchWords.words(of: text)).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    // A word that is the beginning of another search word, the next one in this order, is
    // redundant.
    let needed = words.indices.filter { place in
      place + 1 == words.count || !words[place + 1].utf8.starts(with: words[place].utf8)
    }.map { words[$0] }
    guard needed.count <= Self.mostWords else {
      throw FilterError(
        description: """
          A name to look for has at most \(Self.mostWords) words, and this one has \
          \(needed.count); leave some out.
          """)
    }
    self.init(words: needed, isBlank: words.isEmpty)
  }

  private init(words: [String], isBlank: Bool) {
    self.words = words
    self.isBlank = isBlank
  }

  var matchesEverybody: Bool { isBlank }

  func matches(in people: People) throws -> PersonSet {
    // For each word of the vocabulary, a bit for each search word it begins with. Names share
    // words, so few texts are compared.
    var found = [UInt64](repeating: 0, count: people.vocabulary.count)
    for (bit, word) in words.enumerated() {
      for place in people.index.words(beginningWith: word) { found[place] |= 1 << UInt64(bit) }
    }
    let all: UInt64 = words.count == 64 ? .max : 1 << UInt64(words.count) - 1
    return try people.words.withUnsafeBufferPointer { words in
      try people.wordStarts.withUnsafeBufferPointer { starts in
        try found.withUnsafeBufferPointer { found in
          try PersonSet(of: people.count) { person in
            var rest = all
            for place in starts[person]..<starts[person + 1] {
              rest &= ~found[Int(words[Int(place)])]
            }
            return rest == 0
          }
        }
      }
    }
  }
}
