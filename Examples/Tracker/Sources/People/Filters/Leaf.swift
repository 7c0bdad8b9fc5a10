/// One leaf of a ``Question``: some people match it, and it can tell who.
protocol Leaf: Hashable, Sendable {
  /// Whether everybody matches.
  var matchesEverybody: Bool { get }

  /// Those who match.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  func matches(in people: People) throws -> PersonSet
}
