/// A filter that is part of a ``Question`` and determines which people match.
protocol Leaf: Hashable, Sendable {
  /// Whether everybody matches.
  var matchesEverybody: Bool { get }

  /// Returns the people who match.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func matches(in people: People) throws -> PersonSet
}
