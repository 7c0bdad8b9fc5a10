/// Finds the large sub-expressions that stand in more than one place, and remembers their gates.
///
/// Small ones are simply written out again: a look into a dictionary would cost more. Nodes are
/// told apart by identity, so the graph that is compiled must hold on to all of them.
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

  /// Counts the uses of `root` and, when it is new, of everything below it.
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

  /// Whether the node is worth a gate of its own.
  func isShared(_ node: Compound) -> Bool {
    node.isLarge(from: smallest) && uses[ObjectIdentifier(node), default: 0] > 1
  }

  /// The gate the node already has, if it has one.
  func gate(of node: Compound, isNegated: Bool) -> Int? {
    gates[Key(node: ObjectIdentifier(node), isNegated: isNegated)]
  }

  mutating func remember(_ gate: Int, of node: Compound, isNegated: Bool) {
    gates[Key(node: ObjectIdentifier(node), isNegated: isNegated)] = gate
  }
}
