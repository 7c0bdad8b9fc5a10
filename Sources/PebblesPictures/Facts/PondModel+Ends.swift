import PebblesAnalysis

extension PondModel {
  /// The warning about the ends of the pond, shown in pictures of it and of its runs; `nil` if
  /// there is none.
  ///
  /// ```
  /// Of 368 endings, 88 have none and 48 have two of the ends showOffline, … and invalid.
  /// ```
  ///
  /// Ends are pebbles that wait for other pebbles while no pebble waits for them. There is a
  /// warning only for a pond of at most 300 pebbles with 2 to 12 ends, and only if each end has
  /// another end with which it never runs, like the alternative screens of an app. A pebble that
  /// reads another pebble whose name ends in the same word, as `otidLogin` reads `userLogin`,
  /// counts as a step and not as an end. The warning lists such pebbles separately. There is no
  /// warning if the goal mentions an end, because then the goal says how a run should end.
  ///
  /// To check that exactly one end runs, add a law: see `Law.exactlyOne(of:)`.
  ///
  /// - Complexity: The same as `scenarios()`, with a small limit on the size of the decision
  ///   diagram.
  var endsWarning: String? { PondEnds(of: self).warning }
}
