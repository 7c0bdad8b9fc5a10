extension Diagram {
  /// Returns the disjunction of two functions.
  package mutating func or(
    _ left: BooleanFunction, _ right: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    !(try and(!left, !right))
  }

  /// Returns the function that is true where `function` is true and the variable has the given
  /// value.
  package mutating func and(
    _ function: BooleanFunction, where variable: DiagramVariable, is value: Bool
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard level(of: function) < variable.level else {
      let isTrue = try self.function(of: variable)
      return try and(function, value ? isTrue : !isTrue)
    }
    // This makes a single node. `and` would first need a node for the variable alone.
    return try branch(
      variable.level, low: value ? .never : function, high: value ? function : .never)
  }

  /// Returns the conjunction of the given functions; `.always` if there are none.
  ///
  /// Functions of lower variables are combined first, so that their nodes can be reused unchanged
  /// below the nodes of higher variables.
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

  /// Returns the disjunction of the given functions; `.never` if there are none.
  package mutating func any(
    _ functions: [BooleanFunction]
  ) throws(DiagramLimitReached) -> BooleanFunction {
    !(try all(functions.map(!)))
  }

  /// Returns the function with some of its variables replaced by constants.
  ///
  /// - Complexity: O(nodes of the diagram).
  package mutating func restrict(
    _ function: BooleanFunction, _ values: [DiagramVariable: Bool]
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard !values.isEmpty else { return function }
    let reachable = reachableNodes(from: function)
    try takeSteps(reachable.count)
    var restricted = [BooleanFunction.always]
    restricted.reserveCapacity(reachable.count)
    for number in reachable {
      let node = nodes[number]
      let low = restricted[reachable.position(of: node.low)].negated(like: node.low)
      let high = restricted[reachable.position(of: node.high)]
      if let value = values[DiagramVariable(level: node.level)] {
        restricted.append(value ? high : low)
      } else {
        restricted.append(try branch(node.level, low: low, high: high))
      }
    }
    return restricted[reachable.position(of: function)].negated(like: function)
  }

  /// Returns the function that is true wherever `function` can be made true by changing the values
  /// of the given variables.
  package mutating func exists(
    _ variables: Set<DiagramVariable>, _ function: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard !variables.isEmpty else { return function }
    // A negated edge would turn "exists" into "for all", so the variables are removed one by one.
    var result = function
    for variable in variables.sorted() {
      let high = try restrict(result, [variable: true])
      result = try or(high, restrict(result, [variable: false]))
    }
    return result
  }

  func level(of function: BooleanFunction) -> UInt32 { nodes[function.node].level }
}
