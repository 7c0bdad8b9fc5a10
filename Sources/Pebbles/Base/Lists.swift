extension Collection {
  /// Returns the texts of the first elements and, if there are others, their number: `a`, `b`,
  /// `3 more`. At most `most` elements are listed.
  package func listed(atMost most: Int = 4, _ text: (Element) -> String) -> [String] {
    prefix(most).map(text) + (count > most ? ["\(count - most) more"] : [])
  }
}

extension [String] {
  /// Returns the elements joined by commas, with `word` instead of the last comma: `a`, `a or b`,
  /// `a, b or c`.
  package func joined(_ word: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + word + last
  }
}
