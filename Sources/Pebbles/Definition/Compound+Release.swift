extension Compound {
  /// The largest depth at which a condition is released by recursion.
  static let deepestRecursiveRelease: Int32 = 64

  /// Releases a deep expression with a list instead of recursion: `conditions.reduce(.always, &&)`
  /// over a million conditions must not overflow the stack when it is released. The deinitializer
  /// calls this method.
  func releaseDeepOperands() {
    var pending = takeCompounds()
    while var node = pending.popLast() {
      let isDeep = node.depth > Self.deepestRecursiveRelease
      if isDeep, isKnownUniquelyReferenced(&node) { pending += node.takeCompounds() }
    }
  }
}
