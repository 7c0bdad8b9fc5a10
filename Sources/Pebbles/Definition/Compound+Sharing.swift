extension Compound {
  /// How many leaves an expression has at least when it is cheaper to look it up, where it is used
  /// again, than to write it out again.
  static let smallestShared: Int32 = 16

  /// How deep an expression may be and still count as small, however few leaves it has.
  private static let deepestSmall: Int32 = 16

  func isLarge(from smallest: Int32) -> Bool {
    leafCount >= smallest || depth > Self.deepestSmall
  }

  /// Whether the expression is compiled only once, however often it is used; it is written out for
  /// each use otherwise.
  package var isCompiledOnce: Bool { isLarge(from: Self.smallestShared) }
}
