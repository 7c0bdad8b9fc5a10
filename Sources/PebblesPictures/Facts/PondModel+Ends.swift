import PebblesAnalysis

extension PondModel {
  /// What pictures of the pond, and of its runs, say of its ends; `nil` if there is nothing to say.
  ///
  /// ```
  /// Of 368 endings, 88 have none and 48 have two of the ends showOffline, … and invalid.
  /// ```
  ///
  /// Ends are the pebbles that wait for others, and that nothing waits for but perhaps the goal. It
  /// is said of those of a pond of at most 300 pebbles, if there are 2 to 12, and each of them has
  /// another with which it never runs, as screens of an app have of which one should come up. One
  /// that reads another whose name ends in the same word, as `otidLogin` reads `userLogin`, is
  /// taken for a step like that, and is named apart. Where the goal mentions one of them, nothing
  /// is said: the goal says how a run should end.
  ///
  /// To have it checked that exactly one runs, say so by a law: see `Law.exactlyOne(of:)`.
  ///
  /// - Complexity: That of `scenarios()`, with few nodes.
  var endsWarning: String? { PondEnds(of: self).warning }
}
