import GRDB

/// Where in a launch stands what was looked for.
///
/// Ranges are in UTF-16 code units, as JavaScript counts, in ascending order, apart from each
/// other, and never divide what is read as one character.
public struct LaunchMarks: Sendable, Hashable, Codable {
  /// In the name.
  public let name: [Range<Int>]

  /// In the details.
  public let details: [Range<Int>]

  /// Whether the year of the launch was looked for.
  public let year: Bool

  /// Whether it stands nowhere.
  public var isEmpty: Bool { name.isEmpty && details.isEmpty && !year }
}

/// Finds in launches what a query found them by: in words as the index tells them apart, and folded
/// as it folds them.
struct LaunchMarker {
  private let words: [String]
  private let years: [String]
  private let tokenizer: any FTS5Tokenizer

  /// How many places of a text are marked at most: a text is that of a feed, and of any length.
  static let mostMarks = 100

  /// - Parameters:
  ///   - words: Those of a query.
  ///   - database: Used as long as this is.
  /// - Throws: What SQLite says.
  init(_ words: [String], in database: Database) throws {
    // Of two words that begin one, the longer says more.
    self.words = words.sorted { $0.utf8.count > $1.utf8.count }
    years = words.filter(SearchQuery.isYear)
    tokenizer = try database.searchTokenizer()
  }

  /// - Throws: What SQLite says.
  /// - Complexity: O(text of the launch · words).
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

  /// Where the beginning of a word ends in a text.
  ///
  /// Folding makes one scalar of each, and none of marks on letters. If it made anything else of
  /// this word, all of it is taken.
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

  /// The smallest range of whole characters around a range that is not empty.
  fileprivate func wholeCharacters(_ range: Range<Index>) -> Range<Index> {
    // Before the index behind it is where the character around an index begins.
    let start = index(before: index(after: range.lowerBound))
    guard range.upperBound < endIndex else { return start..<endIndex }
    let last = index(before: index(after: range.upperBound))
    return start..<(last == range.upperBound ? last : index(after: last))
  }
}

/// A word of a text.
struct SearchToken: Equatable {
  let folded: String

  /// Where it stands in the UTF-8 of the text.
  let bytes: Range<Int>
}

extension FTS5Tokenizer {
  /// The words of a text, in its order.
  ///
  /// - Throws: What SQLite says.
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
