extension Diagram {
  func reachableNodes(from function: BooleanFunction) -> ReachableNodes {
    ReachableNodes(from: function, in: nodes)
  }

  /// Returns the value of a function, given the values of the variables.
  ///
  /// - Complexity: O(variables).
  package func value(
    of function: BooleanFunction, where isTrue: (DiagramVariable) -> Bool
  ) -> Bool {
    var function = function
    while !function.isConstant {
      let node = nodes[function.node]
      let child = isTrue(DiagramVariable(level: node.level)) ? node.high : node.low
      function = child.negated(like: function)
    }
    return function == .always
  }

  /// Returns the variables that the function depends on.
  package func variables(of function: BooleanFunction) -> Set<DiagramVariable> {
    Set(reachableNodes(from: function).map { DiagramVariable(level: nodes[$0].level) })
  }

  /// Returns the number of assignments that make the function true. An assignment gives a value to
  /// every variable of the diagram.
  ///
  /// - Complexity: O(nodes of the diagram).
  package func solutionCount(of function: BooleanFunction) -> LargeCount {
    // For each node, this counts the assignments to its own variable and all lower ones that make
    // the node true, and those that make it false. Both are counted because counts may be inexact,
    // so neither can be computed by subtracting the other from the total.
    let reachable = reachableNodes(from: function)
    var counts = [(trues: LargeCount(1), falses: LargeCount(0))]
    counts.reserveCapacity(reachable.count)
    func count(
      _ function: BooleanFunction, upTo level: UInt32
    ) -> (trues: LargeCount, falses: LargeCount) {
      let (trues, falses) = counts[reachable.position(of: function)]
      let free = level - self.level(of: function)
      let scaled = (trues: trues.doubled(free), falses: falses.doubled(free))
      return function.isNegated ? (scaled.falses, scaled.trues) : scaled
    }
    for number in reachable {
      let node = nodes[number]
      let low = count(node.low, upTo: node.level - 1)
      let high = count(node.high, upTo: node.level - 1)
      counts.append((low.trues + high.trues, low.falses + high.falses))
    }
    return count(function, upTo: UInt32(variableCount)).trues
  }

  /// Returns the cheapest assignment that makes the function true; `nil` if no assignment does.
  ///
  /// Each variable has a usual value, which costs nothing. If several assignments are equally
  /// cheap, one that leaves lower variables at their usual values is preferred.
  ///
  /// - Parameters:
  ///   - function: The function that must become true.
  ///   - usual: A closure that returns the usual value of a variable and the cost of the other
  ///     value.
  /// - Returns: The variables that do not have their usual value, lowest first.
  /// - Complexity: O(nodes of the diagram).
  package func cheapestSolution(
    of function: BooleanFunction, usual: (DiagramVariable) -> (value: Bool, cost: UInt128)
  ) -> [DiagramVariable]? {
    guard function != .never else { return nil }
    // The costs of making a node true and false; `nil` where that is impossible.
    let reachable = reachableNodes(from: function)
    var costs: [(true: UInt128?, false: UInt128?)] = [(0, nil)]
    func cost(_ function: BooleanFunction, _ value: Bool) -> UInt128? {
      let known = costs[reachable.position(of: function)]
      return value != function.isNegated ? known.true : known.false
    }
    /// Returns the two children of a node, and the cost of choosing the other child instead of the
    /// usual one. The usual child corresponds to the usual value of the node's variable.
    func choices(_ node: Node) -> (usual: BooleanFunction, other: BooleanFunction, cost: UInt128) {
      let (value, cost) = usual(DiagramVariable(level: node.level))
      return value ? (node.high, node.low, cost) : (node.low, node.high, cost)
    }
    func cheapest(_ node: Node, _ value: Bool) -> (cost: UInt128, isUsual: Bool)? {
      let (usual, other, extra) = choices(node)
      let plain = cost(usual, value)
      let unusual = cost(other, value).map { $0 + extra }
      guard let unusual else { return plain.map { ($0, true) } }
      guard let plain, plain < unusual else { return (unusual, false) }
      return (plain, true)
    }
    costs.reserveCapacity(reachable.count)
    for number in reachable {
      let node = nodes[number]
      costs.append((cheapest(node, true)?.cost, cheapest(node, false)?.cost))
    }

    var others: [DiagramVariable] = []
    var (function, value) = (function, true)
    while !function.isConstant {
      let node = nodes[function.node]
      value = value != function.isNegated
      let (usual, other, _) = choices(node)
      let isUsual = cheapest(node, value)?.isUsual ?? true
      if !isUsual { others.append(DiagramVariable(level: node.level)) }
      function = isUsual ? usual : other
    }
    return others.reversed()
  }
}
