import GRDB

/// The places in a launch where search words were found.
///
/// The ranges are in UTF-16 code units, as in JavaScript. They are in ascending order, do not
/// overlap, and never split a character.
public struct LaunchMarks: Sendable, Hashable, Codable {
  /// The matches in the name.
  public let name: [Range<Int>]

  /// The matches in the details.
  public let details: [Range<Int>]

  /// Whether the year of the launch was searched for.
  public let year: Bool

  /// Whether the launch contains no search word.
  public var isEmpty: Bool { name.isEmpty && details.isEmpty && !year }
}

/// A marker that finds search words in launches. It uses the same rules for words and folding as
/// the index.
struct LaunchMarker {
  private let words: [String]
  private let years: [String]
  private let tokenizer: any FTS5Tokenizer

  /// The maximum number of marks in a string. It is limited because the strings come from a feed
  /// and may be long.
  static let mostMarks = 100

  /// Creates a marker.
  ///
  /// - Parameters:
  ///   - words: The words of a query.
  ///   - database: The database, which must outlive the marker.
  /// - Throws: SQLite errors.
  init(_ words: [String], in database: Database) throws {
    // If two search words match the same word, the longer one is marked.
    self.words = words.sorted { $0.utf8.count > $1.utf8.count }
    years = words.filter(SearchQuery.isYear)
    tokenizer = try database.searchTokenizer()
  }

  /// Returns the marks of a launch.
  ///
  /// - Throws: SQLite errors.
  /// - Complexity: O(*n* · *m*), where *n* is the length of the name and the details, and *m* is
  ///   the number of search words.
  func marks(in launch: Launch) throws -> LaunchMarks {
    LaunchMarks(
      name: try ranges(in: launch.name), details: try launch.details.map(ranges) ?? [],
      year: LaunchDate(launch).map { years.contains("\($0.year)") } ?? false)
  }

  private func ranges(in text: String) throws -> [Range<Int>] {
    var found: [Range<String.Index>] = []
    for token in try tokenizer.tokens(of: text) {
      let word = words.first { token.folded.utf8.starts(with: $0.utf8) }
      guard let word, let start = text.index(atByte: token.bytes.lowerBound),
        let end = text.index(atByte: token.bytes.upperBound)
      else { continue }
      let beginning = Self.beginning(of: token.folded, as: word, in: text[start..<end])
      let whole = text.wholeCharacters(start..<beginning)
      if let last = found.last, last.upperBound > whole.lowerBound {
        found[found.count - 1] = last.lowerBound..<max(last.upperBound, whole.upperBound)
      } else if found.count == Self.mostMarks {
        break
      } else {
        found.append(whole)
      }
    }
    return found.map { $0.lowerBound.utf16Offset(in: text)..<$0.upperBound.utf16Offset(in: text) }
  }

  /// Returns the end index of the part of a word that matches a search word.
  ///
  /// Folding usually maps each scalar to one scalar, and removes combining marks. If it has
  /// changed the word in any other way, the whole word is marked.
  private static func beginning(
    of folded: String, as word: String, in text: Substring
  ) -> String.Index {
    let scalars = text.unicodeScalars
    let letters = scalars.indices.filter {
      scalars[$0].properties.generalCategory != .nonspacingMark
    }
    guard letters.count == folded.unicodeScalars.count else { return text.endIndex }
    let count = word.unicodeScalars.count
    return count < letters.count ? letters[count] : text.endIndex
  }
}

extension String {
  fileprivate func index(atByte offset: Int) -> Index? {
    utf8.index(startIndex, offsetBy: offset, limitedBy: endIndex)
  }

  /// Returns the smallest range of whole characters that contains the given range, which must not
  /// be empty.
  fileprivate func wholeCharacters(_ range: Range<Index>) -> Range<Index> {
    // The character around an index begins at the index before the index after it.
    let start = index(before: index(after: range.lowerBound))
    guard range.upperBound < endIndex else { return start..<endIndex }
    let last = index(before: index(after: range.upperBound))
    return start..<(last == range.upperBound ? last : index(after: last))
  }
}

/// A word found in a string.
struct SearchToken: Equatable {
  let folded: String

  /// The UTF-8 range of the word in the string.
  let bytes: Range<Int>
}

extension FTS5Tokenizer {
  /// Returns the words of a string, in order.
  ///
  /// - Throws: SQLite errors.
  func tokens(of text: String) throws -> [SearchToken] {
    var text = text
    var tokens: [SearchToken] = []
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        withUnsafeMutablePointer(to: &tokens) { tokens in
          tokenize(
            context: tokens, tokenization: .document, pText: characters.baseAddress,
            nText: CInt(clamping: characters.count)
          ) { context, _, token, count, start, end in
            guard let context, let token else { return 0 }
            let folded = UnsafeRawBufferPointer(start: token, count: Int(count))
            context.assumingMemoryBound(to: [SearchToken].self).pointee.append(
              SearchToken(
                folded: String(decoding: folded, as: UTF8.self), bytes: Int(start)..<Int(end)))
            return 0
          }
        }
      }
    }
    guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return tokens
  }
}
