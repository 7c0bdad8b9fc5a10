/// An index that finds words by prefix. Entries with the same prefix are adjacent, so a search
/// needs to compare only a few of them.
struct PrefixIndex: Sendable {
  private struct Entry {
    let text: String
    let word: Int
  }

  /// The entries, sorted by their bytes.
  private let entries: [Entry]

  /// Creates an index.
  ///
  /// - Parameter texts: An array for each word, with the strings under which the word is found.
  /// - Complexity: O(*n* log *n*), where *n* is the number of strings.
  init(_ texts: [[String]]) {
    entries = texts.enumerated()
      .flatMap { word, texts in texts.map { Entry(text: $0, word: word) } }
      .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }

  /// Returns the words that can be found under a string with the given prefix.
  ///
  /// - Parameter beginning: The prefix. It is compared by scalars, not by characters, because its
  ///   last character may still be incomplete.
  /// - Returns: The indices of the words in any order. The index of a word is repeated for each of
  ///   its strings that has the prefix.
  /// - Complexity: O(log *n* + *m*), where *n* is the number of strings and *m* is the number of
  ///   returned indices.
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
