/// An index of words by their beginnings: texts with the same beginning are adjacent, so that a
/// search compares few of them.
struct PrefixIndex: Sendable {
  private struct Entry {
    let text: String
    let word: Int
  }

  /// The entries, in the order of their bytes.
  private let entries: [Entry]

  /// Creates an index.
  ///
  /// - Parameter texts: The texts under which each word is found, by word.
  /// - Complexity: O(*n* log *n*), with *n* texts.
  init(_ texts: [[String]]) {
    entries = texts.enumerated()
      .flatMap { word, texts in texts.map { Entry(text: $0, word: word) } }
      .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }

  /// Returns the words that have a text with this beginning.
  ///
  /// - Parameter beginning: The beginning, compared by scalars, not by characters: the last
  ///   character may be typed only in part.
  /// - Returns: The indices of the words in any order; repeated for a word with several such texts.
  /// - Complexity: O(log *n* + found), with *n* texts.
  func words(beginningWith beginning: String) -> [Int] {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].text.utf8.lexicographicallyPrecedes(beginning.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return entries[low...].prefix { $0.text.utf8.starts(with: beginning.utf8) }.map(\.word)
  }
}
