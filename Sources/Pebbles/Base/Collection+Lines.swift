extension Collection {
  /// Returns a line for each of the first elements. If there are more, the last line says how many,
  /// so that the text stays short.
  func lines(atMost limit: Int = 100, _ line: (Element) -> String) -> [String] {
    let rest = count - Swift.min(count, limit)
    return prefix(limit).map(line) + (rest > 0 ? ["  … and \(rest) more"] : [])
  }
}
