extension Collection {
  /// A line for each of the first elements, and one that says how many more there are: a text that
  /// people read is not as long as what it is about.
  func lines(atMost limit: Int = 100, _ line: (Element) -> String) -> [String] {
    let rest = count - Swift.min(count, limit)
    return prefix(limit).map(line) + (rest > 0 ? ["  … and \(rest) more"] : [])
  }
}
