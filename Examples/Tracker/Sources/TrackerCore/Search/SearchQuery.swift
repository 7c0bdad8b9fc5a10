import GRDB

/// What somebody looks for.
enum SearchQuery: Sendable, Hashable {
  /// Nothing in particular: the newest.
  case newest

  /// Launches that have all of these, as the beginnings of words or as the year: folded, none
  /// twice, and never none.
  case words([String])

  /// Something that is no word, such as an emoji, and so stands in no launch.
  case nothing

  /// How many words are looked for at most.
  static let mostWords = 64

  /// Reads what somebody typed. All of it is text: nothing in it is syntax.
  ///
  /// - Parameters:
  ///   - text: Any text.
  ///   - database: Tells words apart as the index does.
  /// - Throws: ``SearchRefusal`` if there are too many words.
  /// - Complexity: O(text).
  init(_ text: String, in database: Database) throws {
    if text.allSatisfy(\.isWhitespace) {
      self = .newest
      return
    }
    var seen: Set<String> = []
    let words = try database.searchTokenizer().tokenize(query: text).map(\.token)
      .filter { seen.insert($0).inserted }
    guard words.count <= Self.mostWords else { throw SearchRefusal.tooManyWords(words.count) }
    self = words.isEmpty ? .nothing : .words(words)
  }

  /// A text as it is shown and asked for: texts that differ in blanks only are the same query.
  static func normalized(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// What the words of a query look for in the index: each the beginning of a word, or, if it is
  /// one, the year.
  ///
  /// - Parameter words: Words of a query.
  /// - Returns: An expression of the full text index.
  static func pattern(of words: [String]) -> String {
    words.map { word in
      let beginning = "{name details} : \"\(word)\" *"
      return isYear(word) ? "(\(beginning) OR year : \"\(word)\")" : beginning
    }.joined(separator: " AND ")
  }

  /// Whether a word may be meant as a year: four digits.
  static func isYear(_ word: String) -> Bool {
    word.utf8.count == 4 && word.utf8.allSatisfy { ("0"..."9") ~= Unicode.Scalar($0) }
  }

  /// Tells queries apart, on every machine and in every process alike.
  var fingerprint: UInt64 {
    let bytes: [UInt8] =
      switch self {
      case .newest: []
      case .nothing: [0]
      case .words(let words): words.flatMap { Array($0.utf8) + [0] }
      }
    return bytes.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }
}

extension Database {
  /// Tells words apart and folds them as the index does.
  func searchTokenizer() throws -> any FTS5Tokenizer {
    try makeTokenizer(.unicode61(diacritics: .remove))
  }
}

/// Something that was asked of the search and is not answered.
public enum SearchRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// The query has this many words, which is too many.
  case tooManyWords(Int)

  /// The cursor is none that the search has given.
  case unknownCursor

  /// The cursor was given for another query.
  case cursorOfAnotherQuery

  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .tooManyWords(let count):
      "the query has \(count) different words; leave out some, at most "
        + "\(SearchQuery.mostWords) are looked for at a time"
    case .unknownCursor:
      "the page is not the next of an earlier answer; leave it out to begin anew"
    case .cursorOfAnotherQuery:
      "the page belongs to the answer to another query; leave it out to begin anew"
    }
  }
}
