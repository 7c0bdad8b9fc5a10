/// An index of words by their beginnings. Texts with the same beginning are adjacent, so a search
/// needs to compare only a few texts.
struct PrefixIndex: Sendable {
  private struct Entry {
    let text: String
    let word: Int
  }

  /// The entries, in the order of their bytes.
  private let entries: [Entry]

  /// Creates an index.
  ///
  /// - Parameter texts: An array for each word, with the texts under which the word is found.
  /// - Complexity: O(*n* log *n*), where *n* is the number of texts.
  init(_ texts: [[String]]) {
    entries = texts.enumerated()
      .flatMap { word, texts in texts.map { Entry(text: $0, word: word) } }
      .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }

  /// Returns the words that have a text with the given beginning.
  ///
  /// - Parameter beginning: The beginning. It is compared by scalars, not by characters, because
  ///   its last character may still be incomplete.
  /// - Returns: The indices of the words in any order. The index of a word is repeated for each of
  ///   its texts that has the beginning.
  /// - Complexity: O(log *n* + *m*), where *n* is the number of texts and *m* is the number of
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
