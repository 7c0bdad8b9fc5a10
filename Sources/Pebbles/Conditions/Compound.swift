/// An inner node of a condition, with its operands laid out right behind it: one allocation per
/// operator, however many operands. Nodes never change and may be shared by any number of
/// conditions.
///
/// Header and operands are written by `make`, before anybody else knows the node, and by `deinit`,
/// when nobody else does any more. So nodes are safe to share, though a `ManagedBuffer` in general
/// is not.
package final class Compound: ManagedBuffer<Compound.Header, Condition> {
  package enum Operation: Sendable {
    case all
    case any
    case not
    case labeled(String)
    case predicate(Predicate)
  }

  package struct Header: Sendable {
    package let operation: Operation

    fileprivate(set) var operandCount: Int32

    /// How many leaves the node has when written out as a tree, at most `Int32.max`. A shared node
    /// counts once per use, so this tells where writing out would explode.
    fileprivate(set) var leafCount: Int32

    /// Whether the node, with negations pushed down to its atoms, is an OR; otherwise an AND.
    fileprivate(set) var isDisjunction: Bool

    /// How many nodes stand above each other here, at most `Int32.max`.
    fileprivate var depth: Int32
  }

  // Through pointers, because the runtime tracks each access to `header` itself.
  package var operation: Operation { withUnsafeMutablePointerToHeader { $0.pointee.operation } }
  var operandCount: Int32 { withUnsafeMutablePointerToHeader { $0.pointee.operandCount } }
  var leafCount: Int32 { withUnsafeMutablePointerToHeader { $0.pointee.leafCount } }
  var isDisjunction: Bool { withUnsafeMutablePointerToHeader { $0.pointee.isDisjunction } }
  var depth: Int32 { withUnsafeMutablePointerToHeader { $0.pointee.depth } }

  /// The operands, first to last. A predicate has none: it is a leaf.
  package var operands: [Condition] {
    var operands: [Condition] = []
    forEachOperand { operands.append($0) }
    return operands
  }

  /// Calls `body` with each operand, first to last.
  @inline(__always)
  func forEachOperand(_ body: (borrowing Condition) -> Void) {
    withUnsafeMutablePointers { header, operands in
      for position in 0..<Int(header.pointee.operandCount) { body(operands[position]) }
    }
  }

  /// Takes deep expressions apart with a list instead of recursion:
  /// `conditions.reduce(.always, &&)` over a million conditions must not overflow the stack when it
  /// goes away.
  deinit {
    if depth > Self.deepestRecursiveRelease {
      var pending = takeCompounds()
      while var node = pending.popLast() {
        let isDeep = node.depth > Self.deepestRecursiveRelease
        if isDeep, isKnownUniquelyReferenced(&node) { pending += node.takeCompounds() }
      }
    }
    _ = withUnsafeMutablePointers { header, operands in
      operands.deinitialize(count: Int(header.pointee.operandCount))
    }
  }

  private static let deepestRecursiveRelease: Int32 = 64

  /// Moves the operands that are nodes themselves out, and drops the others.
  private func takeCompounds() -> [Compound] {
    var nodes: [Compound] = []
    withUnsafeMutablePointers { header, operands in
      for position in 0..<Int(header.pointee.operandCount) {
        let operand = (operands + position).move()
        if case .compound(let node) = operand.expression { nodes.append(node) }
      }
      header.pointee.operandCount = 0
    }
    return nodes
  }
}

extension Compound {
  @inline(__always)
  static func make(
    _ operation: Operation, _ left: consuming Condition, _ right: consuming Condition
  ) -> Compound {
    let node = allocate(operation, count: 2)
    // Not inside of the closure, which could not consume them.
    let operands = node.withUnsafeMutablePointerToElements(\.self)
    operands.initialize(to: left)
    (operands + 1).initialize(to: right)
    node.measure()
    return node
  }

  static func make(_ operation: Operation, _ operands: [Condition]) -> Compound {
    let node = allocate(operation, count: operands.count)
    node.withUnsafeMutablePointerToElements { place in
      _ = UnsafeMutableBufferPointer(start: place, count: operands.count)
        .initialize(from: operands)
    }
    node.measure()
    return node
  }

  /// A node whose operands are still to be initialized, and then measured.
  @inline(__always)
  private static func allocate(_ operation: Operation, count: Int) -> Compound {
    precondition(count <= Int32.max, "a condition can have 2,147,483,647 operands at most")
    let buffer = Compound.create(minimumCapacity: count) { _ in
      Header(
        operation: operation, operandCount: Int32(count), leafCount: 0, isDisjunction: false,
        depth: 0)
    }
    // `create` makes an instance of the class it is called on.
    return unsafeDowncast(buffer, to: Compound.self)
  }

  @inline(__always)
  private func measure() {
    var leaves: Int32 = 0
    var depth: Int32 = 0
    var isOperandDisjunction = false
    forEachOperand { operand in
      switch operand.expression {
      case .constant, .atom:
        leaves = leaves.addingClamped(1)
      case .compound(let node):
        leaves = leaves.addingClamped(node.leafCount)
        depth = max(depth, node.depth)
        isOperandDisjunction = node.isDisjunction
      }
    }
    withUnsafeMutablePointerToHeader { header in
      header.pointee.leafCount = max(1, leaves)
      header.pointee.depth = depth.addingClamped(1)
      header.pointee.isDisjunction =
        switch header.pointee.operation {
        case .all, .predicate: false
        case .any: true
        case .not: !isOperandDisjunction
        case .labeled: isOperandDisjunction
        }
    }
  }
}

extension Int32 {
  fileprivate func addingClamped(_ other: Int32) -> Int32 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
