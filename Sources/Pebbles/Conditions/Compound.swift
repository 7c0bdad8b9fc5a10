/// An inner node of a condition. Nodes are immutable and may be shared by any number of conditions.
package final class Compound: Sendable {
  package enum Operation: Sendable {
    case both(Condition, Condition)
    case either(Condition, Condition)
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case labeled(String, Condition)
    case predicate(Predicate)
  }

  // Written once by `init` and once by `deinit`, when no other reference is left.
  @exclusivity(unchecked)
  nonisolated(unsafe) private(set) package var operation: Operation

  /// How many leaves the node has when written out as a tree, at most `Int32.max`. A shared node
  /// counts once per use, so this tells where writing out would explode.
  package let leafCount: Int32

  /// How many nodes stand above each other here, at most `Int32.max`.
  private let depth: Int32

  init(_ operation: Operation) {
    var leaves: Int32 = 0
    var depth: Int32 = 0
    operation.forEachOperand { operand in
      switch operand.expression {
      case .constant, .atom:
        leaves = leaves.addingClamped(1)
      case .compound(let node):
        leaves = leaves.addingClamped(node.leafCount)
        depth = max(depth, node.depth)
      }
    }
    self.operation = operation
    self.leafCount = max(1, leaves)
    self.depth = depth.addingClamped(1)
  }

  /// Takes deep expressions apart with a list instead of recursion: `conditions.reduce(.always, &&)`
  /// over a million conditions must not overflow the stack when it goes away.
  deinit {
    guard depth > Self.deepestRecursiveRelease else { return }
    var pending = takeOperands()
    while var node = pending.popLast() {
      if node.depth > Self.deepestRecursiveRelease, isKnownUniquelyReferenced(&node) {
        pending += node.takeOperands()
      }
    }
  }

  private static let deepestRecursiveRelease: Int32 = 64

  private func takeOperands() -> [Compound] {
    var nodes: [Compound] = []
    operation.forEachOperand { operand in
      if case .compound(let node) = operand.expression { nodes.append(node) }
    }
    operation = .all([])
    return nodes
  }
}

extension Compound.Operation {
  /// Calls `body` with each operand, first to last. A predicate has none: it is a leaf.
  @inline(__always)
  package func forEachOperand(_ body: (Condition) -> Void) {
    switch self {
    case .both(let left, let right), .either(let left, let right):
      body(left)
      body(right)
    case .all(let operands), .any(let operands):
      operands.forEach(body)
    case .not(let operand), .labeled(_, let operand):
      body(operand)
    case .predicate:
      break
    }
  }
}

extension Int32 {
  fileprivate func addingClamped(_ other: Int32) -> Int32 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
