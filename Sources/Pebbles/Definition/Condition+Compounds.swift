extension Condition {
  /// Calls `body` with each operator of the condition, after those in its operands, first to last.
  /// One that stands in several places is looked at once, and depth costs no stack.
  ///
  /// - Parameters:
  ///   - isKnown: Whether an operator, and with it those in its operands, is to be passed over;
  ///     true of those that `body` was called with.
  ///   - body: What is to be done.
  /// - Throws: What `body` throws.
  /// - Complexity: O(operands) of the operators that are not known.
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
