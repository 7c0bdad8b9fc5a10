/// The chains of skipped pebbles in a run. Every pebble of a chain except the first was skipped
/// because another pebble of the chain was skipped. All pebbles of a chain have the same kind of
/// skip, because each kind is listed separately.
///
/// ```
/// config fails ─▶ database is blocked ─▶ migrate is blocked ─▶ screens is blocked
///                 the root               two followers
/// ```
package struct SkipChains {
  /// The first pebble of each follower's chain, keyed by follower. A *follower* is any pebble of a
  /// chain except the first.
  private var roots: [Int: Int] = [:]
  private var followers: [Int: Int] = [:]

  /// The minimum number of followers that are folded into the line of their chain's first pebble.
  /// If a chain has fewer followers, each of them gets a separate line.
  private static let fewestFolded = 2

  /// Finds the chains of a run.
  ///
  /// - Complexity: O(pebbles + atoms) if the run is over.
  package init(_ skipped: [PebbleRecord], _ storage: RunStorage) {
    for record in skipped {
      // Follows the causes until it finds a pebble with a known root or without a skipped cause,
      // and stores the root for all pebbles on the way.
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

  /// Returns whether a pebble is folded into the line of its chain's first pebble.
  package func isFolded(_ pebble: Int) -> Bool {
    roots[pebble].map { foldedFollowers(of: $0) > 0 } ?? false
  }

  /// Returns the number of followers that are folded into the line of a pebble.
  package func foldedFollowers(of pebble: Int) -> Int {
    let count = followers[pebble] ?? 0
    return count < Self.fewestFolded ? 0 : count
  }
}
