extension Collection {
  /// Returns a line for each of the first `limit` elements. If there are more elements, one more
  /// line says how many were left out.
  func lines(atMost limit: Int = 100, _ line: (Element) -> String) -> [String] {
    let rest = count - Swift.min(count, limit)
    return prefix(limit).map(line) + (rest > 0 ? ["  … and \(rest) more"] : [])
  }
}
