import PebblesAnalysis

extension Findings {
  /// Returns, in order, the findings that name the pebble, including as a follower.
  func about(_ pebble: String) -> [Finding] {
    filter { $0.pebbles.contains(pebble) || $0.followers.contains(pebble) }
  }
}
