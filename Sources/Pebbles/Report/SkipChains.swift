/// Which pebbles were skipped because others were, and where that began. What follows a skip of
/// another kind begins a chain of its own: each kind is told for itself.
///
/// ```
/// config fails ─▶ database is blocked ─▶ migrate is blocked ─▶ screens is blocked
///                 the root               two followers
/// ```
package struct SkipChains {
  /// For each pebble that was skipped because another one was, the first of those.
  private var roots: [Int: Int] = [:]
  private var followers: [Int: Int] = [:]

  /// A single follower is not worth folding: it has a line to itself, and a name.
  private static let fewestFolded = 2

  /// - Complexity: O(pebbles skipped).
  package init(_ skipped: [PebbleRecord], _ storage: RunStorage) {
    for record in skipped {
      // Followed up to the first of which the root is known, and noted for all on the way.
      var way: [Int] = []
      var pebble = record.position
      while roots[pebble] == nil, let before = Self.skippedCause(of: pebble, storage) {
        way.append(pebble)
        pebble = before
      }
      let root = roots[pebble] ?? pebble
      for follower in way { roots[follower] = root }
      followers[root, default: 0] += way.count
    }
  }

  private static func skippedCause(of pebble: Int, _ storage: RunStorage) -> Int? {
    let state = storage.state
    guard state.status(of: pebble) == .skippedByCondition, let cause = state.cause(of: pebble),
      state.status(of: cause).event == .skipped,
      storage.skipKind(of: cause) == storage.skipKind(of: pebble)
    else { return nil }
    return cause
  }

  /// Whether the line of a pebble is left out for that of the one it followed.
  package func isFolded(_ pebble: Int) -> Bool {
    roots[pebble].map { foldedFollowers(of: $0) > 0 } ?? false
  }

  /// How many lines are left out for that of this pebble.
  package func foldedFollowers(of pebble: Int) -> Int {
    let count = followers[pebble] ?? 0
    return count < Self.fewestFolded ? 0 : count
  }
}
