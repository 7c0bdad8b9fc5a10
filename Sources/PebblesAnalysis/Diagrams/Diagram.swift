/// A collection of Boolean functions, stored as reduced ordered binary decision diagrams.
///
/// All functions share one table, so each function exists only once, and comparing two functions
/// means comparing two numbers. See Bryant, *Graph-based algorithms for boolean function
/// manipulation*, 1986.
///
/// An edge may negate its target node (Brace, Rudell and Bryant, *Efficient implementation of a BDD
/// package*, 1990). High edges never negate, so each function still has only one representation.
/// Negation takes constant time and adds no nodes.
///
/// All nodes are stored in one array, children before parents. Every bottom-up computation is a
/// loop over that array. The only top-down operation, `and`, keeps its own stack. Nothing is
/// recursive, so the number of variables is not limited by the call stack.
///
/// Each new variable is added above the existing ones, so existing nodes stay as they are. Apart
/// from the node of the new variable, its conjunction with a function adds only one node.
package struct Diagram: Sendable {
  struct Node: Sendable, Hashable {
    let level: UInt32
    let low: BooleanFunction
    let high: BooleanFunction
  }

  private(set) var nodes = [Node(level: 0, low: .always, high: .always)]

  /// The number of variables.
  package private(set) var variableCount = 0

  private let nodeLimit: Int
  private var stepsLeft: Int

  /// A hash table of node numbers, with open addressing; 0 marks a free slot.
  private var unique = [UInt32](repeating: 0, count: 1 << 10)
  private var conjunctions = ConjunctionTable()
  private var frames: [Frame] = []

  /// A conjunction in progress: its operands, and the low half of its result once this half is
  /// known.
  private struct Frame {
    let left: BooleanFunction
    let right: BooleanFunction
    var low: BooleanFunction?
  }

  /// Creates an empty diagram.
  ///
  /// - Parameter nodeLimit: The maximum number of nodes. It also limits the time: all operations
  ///   together may take 100 steps per allowed node, until `allowMoreSteps()` resets this budget.
  package init(nodeLimit: Int) {
    self.nodeLimit = max(1, min(nodeLimit, 1 << 30))
    stepsLeft = self.nodeLimit * 100
  }

  /// The number of nodes, including nodes that are no longer used.
  package var nodeCount: Int { nodes.count }

  /// Whether no steps are left. If so, every operation that needs a step fails.
  package var isExhausted: Bool { stepsLeft == 0 }

  /// Adds a variable above all others, and returns it.
  package mutating func addVariable() -> DiagramVariable {
    variableCount += 1
    return DiagramVariable(level: UInt32(variableCount))
  }

  /// Returns the function that is true where the variable is true.
  ///
  /// - Throws: `DiagramLimitReached`, like every operation that may need a new node.
  package mutating func function(
    of variable: DiagramVariable
  ) throws(DiagramLimitReached) -> BooleanFunction {
    try branch(variable.level, low: .never, high: .always)
  }

  /// Returns the conjunction of two functions.
  ///
  /// - Complexity: O(*n* · *m*) for functions of *n* and *m* nodes.
  package mutating func and(
    _ left: BooleanFunction, _ right: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    if let known = knownConjunction(left, right) { return known }
    frames.removeAll(keepingCapacity: true)
    var (left, right) = (left, right)
    while true {
      guard var value = knownConjunction(left, right) else {
        try takeSteps(1)
        frames.append(Frame(left: left, right: right))
        let level = max(nodes[left.node].level, nodes[right.node].level)
        (left, right) = (low(of: left, at: level), low(of: right, at: level))
        continue
      }
      var descends = false
      while !descends, var frame = frames.popLast() {
        let level = max(nodes[frame.left.node].level, nodes[frame.right.node].level)
        if let low = frame.low {
          value = try branch(level, low: low, high: value)
          conjunctions[frame.left, frame.right] = value
        } else {
          frame.low = value
          frames.append(frame)
          (left, right) = (high(of: frame.left, at: level), high(of: frame.right, at: level))
          descends = true
        }
      }
      if !descends { return value }
    }
  }

  private func knownConjunction(
    _ left: BooleanFunction, _ right: BooleanFunction
  ) -> BooleanFunction? {
    if left == .never || right == .never || left == !right { return .never }
    if left == .always || left == right { return right }
    if right == .always { return left }
    return conjunctions[left, right]
  }

  /// Returns the function with the variable at `level` set to false. The function must not depend
  /// on a higher variable.
  func low(of function: BooleanFunction, at level: UInt32) -> BooleanFunction {
    let node = nodes[function.node]
    return node.level == level ? node.low.negated(like: function) : function
  }

  /// Returns the function with the variable at `level` set to true. The function must not depend on
  /// a higher variable.
  func high(of function: BooleanFunction, at level: UInt32) -> BooleanFunction {
    let node = nodes[function.node]
    return node.level == level ? node.high.negated(like: function) : function
  }

  /// Returns the function that is `high` where the variable at `level` is true and `low` elsewhere.
  /// Both functions must depend only on lower variables.
  mutating func branch(
    _ level: UInt32, low: BooleanFunction, high: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    assert(nodes[low.node].level < level && nodes[high.node].level < level)
    if low == high { return low }
    let node = Node(
      level: level, low: low.negated(like: high), high: high.negated(like: high))
    return BooleanFunction(node: try number(of: node)).negated(like: high)
  }

  private mutating func number(of node: Node) throws(DiagramLimitReached) -> Int {
    var place = place(of: node)
    while unique[place] != 0 {
      let number = Int(unique[place])
      if nodes[number] == node { return number }
      place = (place + 1) & (unique.count - 1)
    }
    guard nodes.count < nodeLimit else { throw DiagramLimitReached() }
    unique[place] = UInt32(nodes.count)
    nodes.append(node)
    if 2 * nodes.count > unique.count {
      makeUniqueTable(of: 2 * unique.count)
      conjunctions.grow(to: unique.count / 2)
    }
    return nodes.count - 1
  }

  private func place(of node: Node) -> Int {
    let children = UInt64(node.low.word) << 32 | UInt64(node.high.word)
    return Int(truncatingIfNeeded: children.mixed(UInt64(node.level))) & (unique.count - 1)
  }

  private mutating func makeUniqueTable(of count: Int) {
    unique = Array(repeating: 0, count: count)
    for number in nodes.indices.dropFirst() {
      var place = place(of: nodes[number])
      while unique[place] != 0 { place = (place + 1) & (count - 1) }
      unique[place] = UInt32(number)
    }
  }

  // MARK: Giving up

  /// Forgets all nodes except the oldest `count`. Functions that use a forgotten node become
  /// invalid.
  ///
  /// - Complexity: O(nodes forgotten + slots in the table of conjunctions).
  package mutating func forgetNodes(since count: Int) {
    guard count < nodes.count else { return }
    stepsLeft -= min(stepsLeft, conjunctions.count / 8)
    while nodes.count > max(1, count) {
      // The newest entry goes first, so no older entry is cut off from its probe sequence.
      var place = place(of: nodes[nodes.count - 1])
      while Int(unique[place]) != nodes.count - 1 { place = (place + 1) & (unique.count - 1) }
      unique[place] = 0
      nodes.removeLast()
    }
    conjunctions.forgetNodes(since: nodes.count)
  }

  /// Subtracts steps from the remaining budget, or throws an error if not enough steps are left.
  package mutating func takeSteps(_ count: Int) throws(DiagramLimitReached) {
    guard stepsLeft >= count else {
      stepsLeft = 0
      throw DiagramLimitReached()
    }
    stepsLeft -= count
    // Progress is reported only now and then, because a step takes nanoseconds.
    if stepsLeft & (Self.stepsPerReport - 1) < count {
      AnalysisProgress.add(steps: Self.stepsPerReport)
    }
  }

  /// The number of steps between two reports of progress; must be a power of two.
  private static let stepsPerReport = 4_096

  /// Resets the number of remaining steps to its initial value.
  package mutating func allowMoreSteps() { stepsLeft = nodeLimit * 100 }
}

/// A variable of a `Diagram`, identified by its position in the order of variables. Higher
/// variables are nearer to the root.
package struct DiagramVariable: Sendable, Hashable, Comparable {
  /// The level of the variable, starting at 1; the terminal is at level 0.
  let level: UInt32

  package static func < (left: DiagramVariable, right: DiagramVariable) -> Bool {
    left.level < right.level
  }

  /// The zero-based position of the variable in the order in which variables were added.
  package var number: Int { Int(level) - 1 }
}

/// An error thrown if an operation would exceed the diagram's limit on nodes or steps.
package struct DiagramLimitReached: Error, Sendable, Hashable {}
