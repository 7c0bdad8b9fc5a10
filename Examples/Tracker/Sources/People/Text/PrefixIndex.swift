/// Words by how they begin: those that begin alike stand next to each other, so that few of them
/// are looked at.
struct PrefixIndex: Sendable {
  private struct Entry {
    let text: String
    let word: Int
  }

  /// In the order of their bytes.
  private let entries: [Entry]

  /// - Parameter texts: By the place of a word, what it is found by.
  /// - Complexity: O(*n* log *n*), with *n* texts.
  init(_ texts: [[String]]) {
    entries = texts.enumerated()
      .flatMap { word, texts in texts.map { Entry(text: $0, word: word) } }
      .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }

  /// The words that begin with something.
  ///
  /// - Parameter beginning: Compared by scalars, not by characters, of which a part may be all that
  ///   is typed yet.
  /// - Returns: Their places in any order; that of one with several such texts, several times.
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
