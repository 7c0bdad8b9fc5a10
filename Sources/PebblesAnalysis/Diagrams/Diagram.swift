/// Boolean functions as reduced ordered binary decision diagrams (Bryant, *Graph-based algorithms
/// for boolean function manipulation*, 1986), all in one table, so that each function exists once
/// and comparing two is comparing two numbers.
///
/// Edges may negate what they lead to (Brace, Rudell and Bryant, *Efficient implementation of a BDD
/// package*, 1990): the high edge of a node never does, so that functions stay unique, and negation
/// costs nothing.
///
/// Nodes lie in one array, each after those it leads to. So whatever has to be computed bottom-up
/// is a loop over that array; the one operation that descends, `and`, keeps a list of its own.
/// Nothing recurses, however many variables there are.
///
/// Variables are added on top of those that are there. What was built before stays as it is, below
/// them: a chain of conjunctions grows one node for each link.
package struct Diagram: Sendable {
  struct Node: Sendable, Hashable {
    let level: UInt32
    let low: BooleanFunction
    let high: BooleanFunction
  }

  private(set) var nodes = [Node(level: 0, low: .always, high: .always)]

  /// How many variables there are.
  package private(set) var variableCount = 0

  private let nodeLimit: Int
  private var stepsLeft: Int

  /// Numbers of nodes by what they are, with open addressing; 0 is a free place.
  private var unique = [UInt32](repeating: 0, count: 1 << 10)
  private var conjunctions = ConjunctionTable()
  private var frames: [Frame] = []

  /// A conjunction under way: its operands, and the low half of its result once that is known.
  private struct Frame {
    let left: BooleanFunction
    let right: BooleanFunction
    var low: BooleanFunction?
  }

  /// An empty diagram.
  ///
  /// - Parameter nodeLimit: How many nodes it may have. It takes at most a hundred times as many
  ///   steps, until it is allowed more, so that it also ends in time.
  package init(nodeLimit: Int) {
    self.nodeLimit = max(1, min(nodeLimit, 1 << 30))
    stepsLeft = self.nodeLimit * 100
  }

  /// How many nodes there are, among them those that no function of interest uses any more.
  package var nodeCount: Int { nodes.count }

  /// Whether it has taken all the steps it may, so that no operation can succeed that needs one.
  package var isExhausted: Bool { stepsLeft == 0 }

  /// Adds a variable above all others.
  package mutating func addVariable() -> DiagramVariable {
    variableCount += 1
    return DiagramVariable(level: UInt32(variableCount))
  }

  /// The function that is true where the variable is.
  ///
  /// - Throws: `DiagramLimitReached`, as do all operations that may need a new node.
  package mutating func function(
    of variable: DiagramVariable
  ) throws(DiagramLimitReached) -> BooleanFunction {
    try branch(variable.level, low: .never, high: .always)
  }

  /// The function that is true where both are.
  ///
  /// - Complexity: O(*n* · *m*) in the nodes of both.
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

  /// The function where the variable at `level` is false.
  func low(of function: BooleanFunction, at level: UInt32) -> BooleanFunction {
    let node = nodes[function.node]
    return node.level == level ? node.low.negated(like: function) : function
  }

  /// The function where the variable at `level` is true.
  func high(of function: BooleanFunction, at level: UInt32) -> BooleanFunction {
    let node = nodes[function.node]
    return node.level == level ? node.high.negated(like: function) : function
  }

  /// The function that is `high` where the variable at `level` is true and `low` elsewhere; both
  /// must be of lower variables.
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

  /// Forgets all nodes that were made since there were `count`, with the functions that use them.
  ///
  /// - Complexity: O(nodes forgotten), and a look at each conjunction that is known.
  package mutating func forgetNodes(since count: Int) {
    guard count < nodes.count else { return }
    stepsLeft -= min(stepsLeft, conjunctions.count / 8)
    while nodes.count > max(1, count) {
      // The last one entered is the first to go, so none that was entered before is cut off.
      var place = place(of: nodes[nodes.count - 1])
      while Int(unique[place]) != nodes.count - 1 { place = (place + 1) & (unique.count - 1) }
      unique[place] = 0
      nodes.removeLast()
    }
    conjunctions.forgetNodes(since: nodes.count)
  }

  /// Counts steps that were taken elsewhere.
  package mutating func takeSteps(_ count: Int) throws(DiagramLimitReached) {
    guard stepsLeft >= count else {
      stepsLeft = 0
      throw DiagramLimitReached()
    }
    stepsLeft -= count
    // Now and then, for each is a matter of nanoseconds.
    if stepsLeft & (Self.noted - 1) < count { AnalysisProgress.add(steps: Self.noted) }
  }

  /// How many steps are noted at a time.
  private static let noted = 4_096

  /// Gives it as many steps again as it had in the beginning.
  package mutating func allowMoreSteps() { stepsLeft = nodeLimit * 100 }
}
