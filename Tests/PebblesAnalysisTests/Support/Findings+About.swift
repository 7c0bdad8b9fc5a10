import PebblesAnalysis

extension Findings {
  /// Returns the findings that concern a pebble or list it as a follower, in order.
  func about(_ pebble: String) -> [Finding] {
    filter { $0.pebbles.contains(pebble) || $0.followers.contains(pebble) }
  }
}
