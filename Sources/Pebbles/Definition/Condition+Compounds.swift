extension Condition {
  /// Calls `body` with each operator of the condition. Inner operators come before the operators
  /// that contain them. An operator that occurs in several places is visited only once. Deep
  /// conditions are safe, because the function is not recursive.
  ///
  /// - Parameters:
  ///   - isKnown: A closure that returns whether to skip an operator and all operators in its
  ///     operands. It must return `true` for an operator that has already been passed to `body`.
  ///   - body: The function to call.
  /// - Throws: The error that `body` throws.
  /// - Complexity: O(*n*), where *n* is the number of operands of the operators that are visited.
  package func forEachCompound<Failure: Error>(
    unless isKnown: (Compound) -> Bool, _ body: (Compound) throws(Failure) -> Void
  ) throws(Failure) {
    guard case .compound(let root) = expression else { return }
    var pending = [root]
    while let node = pending.last {
      let count = pending.count
      if !isKnown(node) {
        for operand in node.operands.reversed() {
          if case .compound(let below) = operand.expression, !isKnown(below) {
            pending.append(below)
          }
        }
        guard pending.count == count else { continue }
        try body(node)
      }
      pending.removeLast()
    }
  }
}
