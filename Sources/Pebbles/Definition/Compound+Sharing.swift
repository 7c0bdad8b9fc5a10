extension Compound {
  /// The smallest number of leaves at which it is cheaper to look up an expression that occurs
  /// again than to write it out again.
  static let smallestShared: Int32 = 16

  /// The largest depth at which an expression with few leaves still counts as small.
  private static let deepestSmall: Int32 = 16

  func isLarge(from smallest: Int32) -> Bool {
    leafCount >= smallest || depth > Self.deepestSmall
  }

  /// Whether the expression is compiled only once, no matter how often it is used; otherwise it is
  /// written out for each use.
  package var isCompiledOnce: Bool { isLarge(from: Self.smallestShared) }
}
