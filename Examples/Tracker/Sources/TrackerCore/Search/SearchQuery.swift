import GRDB

/// What somebody looks for.
enum SearchQuery: Sendable, Hashable {
  /// Nothing in particular: the newest.
  case newest

  /// Launches that have all of these, as the beginnings of words: folded, none twice, and never
  /// none.
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
    let tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove))
    var seen: Set<String> = []
    let words = try tokenizer.tokenize(query: text).map(\.token).filter { seen.insert($0).inserted }
    guard words.count <= Self.mostWords else { throw SearchRefusal.tooManyWords(words.count) }
    self = words.isEmpty ? .nothing : .words(words)
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
      "the page is none that an earlier answer named as its next; leave it out to begin anew"
    case .cursorOfAnotherQuery:
      "the page belongs to the answer to another query; leave it out to begin anew"
    }
  }
}
