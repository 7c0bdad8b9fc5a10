extension Diagram {
  /// The function that is true where one of both is.
  package mutating func or(
    _ left: BooleanFunction, _ right: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    !(try and(!left, !right))
  }

  /// The function that is true where the given one is and the variable has the value.
  package mutating func and(
    _ function: BooleanFunction, where variable: DiagramVariable, is value: Bool
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard level(of: function) < variable.level else {
      let isTrue = try self.function(of: variable)
      return try and(function, value ? isTrue : !isTrue)
    }
    // One node, without the one that the variable alone would be.
    return try branch(
      variable.level, low: value ? .never : function, high: value ? function : .never)
  }

  /// The function that is true where all are; true for none.
  ///
  /// Those of lower variables first: what they make stays as it is below the others.
  package mutating func all(
    _ functions: [BooleanFunction]
  ) throws(DiagramLimitReached) -> BooleanFunction {
    if functions.count == 1 { return functions[0] }
    var result = BooleanFunction.always
    for function in functions.sorted(by: { level(of: $0) < level(of: $1) }) {
      result = try and(result, function)
      if result == .never { break }
    }
    return result
  }

  /// The function that is true where at least one is; false for none.
  package mutating func any(
    _ functions: [BooleanFunction]
  ) throws(DiagramLimitReached) -> BooleanFunction {
    !(try all(functions.map(!)))
  }

  /// The function with some variables set to values.
  ///
  /// - Complexity: O(nodes of the diagram).
  package mutating func restrict(
    _ function: BooleanFunction, _ values: [DiagramVariable: Bool]
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard !values.isEmpty else { return function }
    return try rebuild(function) { (diagram, level, low, high) throws(DiagramLimitReached) in
      guard let value = values[DiagramVariable(level: level)] else {
        return try diagram.branch(level, low: low, high: high)
      }
      return value ? high : low
    }
  }

  /// The function that is true where values of the variables can make the given one true.
  package mutating func exists(
    _ variables: Set<DiagramVariable>, _ function: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard !variables.isEmpty else { return function }
    // A negated edge would make it a "for all"; so each variable is done on its own.
    var result = function
    for variable in variables.sorted() {
      let high = try restrict(result, [variable: true])
      result = try or(high, restrict(result, [variable: false]))
    }
    return result
  }

  func level(of function: BooleanFunction) -> UInt32 { nodes[function.node].level }

  /// Makes each node of a function anew from what its children have become, bottom-up.
  private mutating func rebuild(
    _ function: BooleanFunction,
    _ make: (
      inout Diagram, UInt32, BooleanFunction, BooleanFunction
    ) throws(DiagramLimitReached) -> BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    let reachable = reachableNodes(from: function)
    var rebuilt = [BooleanFunction.always]
    rebuilt.reserveCapacity(reachable.count)
    for number in reachable {
      let node = nodes[number]
      let low = rebuilt[reachable.position(of: node.low)].negated(like: node.low)
      let high = rebuilt[reachable.position(of: node.high)]
      rebuilt.append(try make(&self, node.level, low, high))
    }
    return rebuilt[reachable.position(of: function)].negated(like: function)
  }
}
