/// Names in which every word that is looked for begins some word, without regard to case and
/// accents.
public struct NameFilter: Leaf {
  /// The longest text that can be looked for, in Unicode scalars.
  public static let longestText = 200

  /// The most words that can be looked for.
  public static let mostWords = 64

  /// Every name.
  public static let anything = NameFilter(words: [], isBlank: true)

  private let words: [String]

  /// Whether there is nothing but blanks and the like in the text.
  private let isBlank: Bool

  /// A filter for what somebody typed. Nothing in it is syntax.
  ///
  /// - Parameter text: Beginnings of words.
  /// - Throws: ``FilterError`` if the text is too long or has too many words.
  public init(_ text: String) throws {
    // Not counted to the end: that may be far away.
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
    // A word that begins another one, which comes next then, is found wherever that is.
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
    // By word of the vocabulary, a bit for each word that is looked for and begins it. Names share
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
