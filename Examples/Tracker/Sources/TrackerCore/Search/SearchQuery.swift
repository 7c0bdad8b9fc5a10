import GRDB

/// A parsed search query.
enum SearchQuery: Sendable, Hashable {
  /// An empty query, which matches all launches and shows the newest first.
  case newest

  /// A query for the launches that match all of these words: each must be a prefix of a word, or
  /// the year. The words are folded and distinct, and there is at least one.
  case words([String])

  /// A query without words, such as a single emoji, which matches no launch.
  case nothing

  /// The maximum number of words.
  static let mostWords = 64

  /// Parses the text that a user typed, which has no special syntax.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - database: The database, whose tokenizer finds the words.
  /// - Throws: ``SearchRefusal`` if there are too many words.
  /// - Complexity: O(*n*), where *n* is the length of the text.
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

  /// Returns the normalized form of a string, with a single space between words, and no whitespace
  /// at the beginning or the end.
  static func normalized(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the expression that finds words in the index. Each word must be a prefix of a word or,
  /// if it may be a year, the year of the launch.
  ///
  /// - Parameter words: The words of a query.
  /// - Returns: An expression for the full-text index.
  static func pattern(of words: [String]) -> String {
    words.map { word in
      let beginning = "{name details} : \"\(word)\" *"
      return isYear(word) ? "(\(beginning) OR year : \"\(word)\")" : beginning
    }.joined(separator: " AND ")
  }

  /// Returns whether a word consists of four digits, and therefore may be a year.
  static func isYear(_ word: String) -> Bool {
    word.utf8.count == 4 && word.utf8.allSatisfy { ("0"..."9") ~= Unicode.Scalar($0) }
  }

  /// A hash of the query that is the same on every machine and in every process.
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
  /// Returns a tokenizer with the same rules for words and folding as the index.
  func searchTokenizer() throws -> any FTS5Tokenizer {
    try makeTokenizer(.unicode61(diacritics: .remove))
  }
}

/// A reason for refusing a search.
public enum SearchRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// Too many words in a query; the associated value is their number.
  case tooManyWords(Int)

  /// A cursor that was not made by the search.
  case unknownCursor

  /// A cursor that belongs to another query.
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
