extension Compound {
  /// From how many nodes above each other on a condition is not released by recursion.
  static let deepestRecursiveRelease: Int32 = 64

  /// Takes a deep expression apart with a list instead of recursion:
  /// `conditions.reduce(.always, &&)` over a million conditions must not overflow the stack when it
  /// goes away. For `deinit`.
  func releaseDeepOperands() {
    var pending = takeCompounds()
    while var node = pending.popLast() {
      let isDeep = node.depth > Self.deepestRecursiveRelease
      if isDeep, isKnownUniquelyReferenced(&node) { pending += node.takeCompounds() }
    }
  }
}
