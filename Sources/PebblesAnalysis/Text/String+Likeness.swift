extension String {
  /// Returns the name that is most similar to this string; `nil` if no name is similar enough.
  ///
  /// - Complexity: O(names). Only the first ten thousand names are compared, and only the first 64
  ///   letters of each.
  package func nearest(among names: some Sequence<String>) -> String? {
    let wanted = Array(lowercased().unicodeScalars.prefix(64))
    let most = Swift.max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for name in names.prefix(10_000) {
      let other = Array(name.lowercased().unicodeScalars.prefix(64))
      guard abs(other.count - wanted.count) <= most else { continue }
      let distance = Self.distance(wanted, other)
      if distance <= Swift.min(most, (best?.distance ?? .max) - 1) { best = (name, distance) }
    }
    return best?.name
  }

  /// Returns the smallest number of edits that turn one string into the other. An edit inserts,
  /// deletes or changes a letter, or swaps two adjacent letters (the optimal string alignment
  /// distance).
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = Swift.min(
          last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], other == left[row - 1] {
          cost = Swift.min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
