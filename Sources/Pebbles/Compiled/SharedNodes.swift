/// The large sub-expressions that occur in more than one place, and their gates.
///
/// Small sub-expressions are compiled again at each place, because a dictionary lookup would cost
/// more. Nodes are identified by address, so the graph being compiled must keep all of them alive.
struct SharedNodes {
  private let smallest: Int32

  private struct Key: Hashable {
    let node: ObjectIdentifier
    let isNegated: Bool
  }

  private var uses: [ObjectIdentifier: Int] = [:]
  private var gates: [Key: Int] = [:]

  init(smallest: Int32) {
    self.smallest = smallest
  }

  /// Counts one use of `root`. If this is the first use, the nodes below `root` are counted as
  /// well.
  mutating func note(_ root: Compound) {
    guard root.isLarge(from: smallest) else { return }
    var pending = [root]
    while let node = pending.popLast() {
      guard node.isLarge(from: smallest) else { continue }
      let count = uses[ObjectIdentifier(node), default: 0] + 1
      uses[ObjectIdentifier(node)] = count
      guard count == 1 else { continue }
      node.forEachOperand { operand in
        if case .compound(let below) = operand { pending.append(below) }
      }
    }
  }

  /// Returns whether the occurrences of a node share gates: one gate for all plain occurrences, and
  /// another gate for all negated occurrences.
  func isShared(_ node: Compound) -> Bool {
    node.isLarge(from: smallest) && uses[ObjectIdentifier(node), default: 0] > 1
  }

  /// Returns the existing gate of a node; `nil` if the node does not have a gate yet.
  func gate(of node: Compound, isNegated: Bool) -> Int? {
    gates[Key(node: ObjectIdentifier(node), isNegated: isNegated)]
  }

  mutating func remember(_ gate: Int, of node: Compound, isNegated: Bool) {
    gates[Key(node: ObjectIdentifier(node), isNegated: isNegated)] = gate
  }
}
