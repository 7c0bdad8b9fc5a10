/// An inner node of a condition in tree form. The operands are stored in the node itself, so an
/// operator takes a single allocation regardless of the number of operands. A shared node never
/// changes.
///
/// The header and the operands are written only while no other value holds the node: when it is
/// created, when it grows inside `joining`, and in `deinit`. Nodes are therefore safe to share,
/// although a `ManagedBuffer` in general is not.
@usableFromInline
package final class Compound: ManagedBuffer<Compound.Header, Condition.Expression> {
  package enum Operation: Sendable {
    case all
    case any
    case not
    case labeled(String)
  }

  @usableFromInline
  package struct Header: Sendable {
    package let operation: Operation

    fileprivate(set) var operandCount: Int32
    fileprivate let operandCapacity: Int32

    /// The number of leaves when the node is written out as a tree, at most `Int32.max`. A shared
    /// node counts once per use, so a large number means that writing the node out would take too
    /// much space.
    fileprivate(set) var leafCount: Int32

    /// The length of the longest path from this node to a leaf, at most `Int32.max`.
    fileprivate(set) var depth: Int32

    /// Whether the node is an OR rather than an AND after negations have been pushed down to the
    /// atoms.
    fileprivate(set) var isDisjunction: Bool
  }

  // Read through pointers, because the runtime tracks each access to `header` itself.
  package var operation: Operation { withUnsafeMutablePointerToHeader { $0.pointee.operation } }
  var operandCount: Int32 { withUnsafeMutablePointerToHeader { $0.pointee.operandCount } }
  var leafCount: Int32 { withUnsafeMutablePointerToHeader { $0.pointee.leafCount } }
  var isDisjunction: Bool { withUnsafeMutablePointerToHeader { $0.pointee.isDisjunction } }
  var depth: Int32 { withUnsafeMutablePointerToHeader { $0.pointee.depth } }

  /// The operands, from first to last.
  package var operands: [Condition] {
    var operands: [Condition] = []
    operands.reserveCapacity(Int(operandCount))
    forEachOperand { operands.append(Condition(copy $0)) }
    return operands
  }

  /// Calls `body` with each operand, from first to last.
  @inline(__always)
  func forEachOperand(_ body: (borrowing Condition.Expression) -> Void) {
    withUnsafeMutablePointers { header, operands in
      for position in 0..<Int(header.pointee.operandCount) { body(operands[position]) }
    }
  }

  /// Calls `body` with the operand at a position.
  @inline(__always)
  func withOperand(at position: Int, _ body: (borrowing Condition.Expression) -> Void) {
    withUnsafeMutablePointerToElements { body($0[position]) }
  }

  deinit {
    if depth > Self.deepestRecursiveRelease { releaseDeepOperands() }
    withUnsafeMutablePointers { header, operands in
      // Releases the operands one by one: to release several at once, the runtime would go through
      // the metadata of the type.
      for position in 0..<Int(header.pointee.operandCount) {
        (operands + position).deinitialize(count: 1)
      }
    }
  }

  /// Removes all operands, and returns those that are nodes. No other value may hold this node.
  func takeCompounds() -> [Compound] {
    var nodes: [Compound] = []
    withUnsafeMutablePointers { header, operands in
      for position in 0..<Int(header.pointee.operandCount) {
        let operand = (operands + position).move()
        if case .compound(let node) = operand { nodes.append(node) }
      }
      header.pointee.operandCount = 0
    }
    return nodes
  }
}

extension Compound {
  /// The operand capacity of a node that is created from two operands.
  private static let usualCapacity = 4

  /// Returns the AND or OR of two conditions.
  ///
  /// `a && b && c` is `(a && b) && c`. If the left side is a node of the same kind that has room
  /// and is held by no other value, the right side is added to that node. An AND or OR of up to
  /// four operands therefore takes a single allocation.
  static func joining(
    _ kind: GateKind, _ left: consuming Condition, _ right: consuming Condition
  ) -> Condition {
    // Moved out of its owner: otherwise `isKnownUniquelyReferenced` would count another reference.
    let storage = (consume left).storage
    switch consume storage {
    case .compound(var node):
      if node.isJunction(of: kind), node.hasRoom, isKnownUniquelyReferenced(&node) {
        node.append(right.expression)
        return Condition(.compound(node))
      }
      return joined(kind, .compound(node), right.expression)
    case .short(let short): return joined(kind, short.expression, right.expression)
    case .atom(let atom): return joined(kind, .atom(atom), right.expression)
    case .constant(let value): return joined(kind, .constant(value), right.expression)
    }
  }

  @inline(__always)
  private static func joined(
    _ kind: GateKind, _ left: consuming Condition.Expression,
    _ right: consuming Condition.Expression
  ) -> Condition {
    let node = allocate(kind == .all ? .all : .any, capacity: usualCapacity)
    node.append(left)
    node.append(right)
    return Condition(.compound(node))
  }

  static func make(_ operation: Operation, _ operands: [Condition]) -> Compound {
    let node = allocate(operation, capacity: operands.count)
    for operand in operands { node.append(operand.expression) }
    return node
  }

  /// Returns a node without operands.
  @inline(__always)
  private static func allocate(_ operation: Operation, capacity: Int) -> Compound {
    precondition(
      capacity <= Int32.max, "a condition can have 2,147,483,647 operands at most")
    let isDisjunction = if case .any = operation { true } else { false }
    let buffer = Compound.create(minimumCapacity: capacity) { _ in
      Header(
        operation: operation, operandCount: 0, operandCapacity: Int32(capacity), leafCount: 1,
        depth: 1, isDisjunction: isDisjunction)
    }
    // `create` creates an instance of the class that it is called on.
    return unsafeDowncast(buffer, to: Compound.self)
  }

  private func isJunction(of kind: GateKind) -> Bool {
    switch operation {
    case .all: kind == .all
    case .any: kind == .any
    case .not, .labeled: false
    }
  }

  private var hasRoom: Bool {
    withUnsafeMutablePointerToHeader { $0.pointee.operandCount < $0.pointee.operandCapacity }
  }

  /// Adds an operand. The node must have room, and no other value may hold it.
  @inline(__always)
  private func append(_ operand: consuming Condition.Expression) {
    let (leaves, depth, isDisjunction) = operand.measures
    // Outside of the closure, which could not consume the operand.
    let (header, operands) = withUnsafeMutablePointers { ($0, $1) }
    let count = header.pointee.operandCount
    assert(count < header.pointee.operandCapacity)
    (operands + Int(count)).initialize(to: operand)
    header.pointee.operandCount = count + 1
    header.pointee.leafCount =
      count == 0 ? leaves : header.pointee.leafCount.addingSaturated(leaves)
    header.pointee.depth = max(header.pointee.depth, depth.addingSaturated(1))
    switch header.pointee.operation {
    case .all, .any: break
    case .not: header.pointee.isDisjunction = !isDisjunction
    case .labeled: header.pointee.isDisjunction = isDisjunction
    }
  }
}

extension Condition.Expression {
  /// The number of leaves, the depth, and whether the condition is an OR.
  fileprivate var measures: (leaves: Int32, depth: Int32, isDisjunction: Bool) {
    switch self {
    case .constant, .atom: (1, 0, false)
    case .compound(let node): (node.leafCount, node.depth, node.isDisjunction)
    }
  }
}

extension Compound {
  /// The smallest number of leaves at which looking up a repeated expression is cheaper than
  /// compiling it again.
  static let smallestShared: Int32 = 16

  /// The largest depth at which an expression with few leaves still counts as small.
  private static let deepestSmall: Int32 = 16

  func isLarge(from smallest: Int32) -> Bool {
    leafCount >= smallest || depth > Self.deepestSmall
  }

  /// Whether the expression is compiled only once, no matter how often it is used. Small
  /// expressions are compiled again for each use.
  package var isCompiledOnce: Bool { isLarge(from: Self.smallestShared) }
}

extension Compound {
  /// The maximum depth to which conditions are released recursively.
  static let deepestRecursiveRelease: Int32 = 64

  /// Releases the operands of a deep expression one at a time, from a list of pending nodes.
  /// Recursion would overflow the stack for an expression such as
  /// `conditions.reduce(.always, &&)` over a million conditions. The deinitializer calls this
  /// method.
  func releaseDeepOperands() {
    var pending = takeCompounds()
    while var node = pending.popLast() {
      let isDeep = node.depth > Self.deepestRecursiveRelease
      if isDeep, isKnownUniquelyReferenced(&node) { pending += node.takeCompounds() }
    }
  }
}
