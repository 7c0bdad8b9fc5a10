import Pebbles

extension Scenarios {
  /// Returns the number of endings in which a condition is true. Endings are counted as in
  /// ``count``, but two endings also differ if a case that the condition mentions holds in only one
  /// of them.
  ///
  /// ```swift
  /// try scenarios.count(where: offline.completed)
  /// ```
  ///
  /// If the number is 2¹²⁸ or more, the result is `UInt128.max`. Do not compute proportions from
  /// this value.
  ///
  /// - Parameter condition: The condition.
  /// - Returns: The number, at most `UInt128.max`; `nil` if it is unknown.
  /// - Throws: `UnknownPebbleError` if the condition mentions a pebble, or a case, that the model
  ///   does not have.
  /// - Complexity: The complexity of ``count``, plus two conjunctions of diagrams.
  public func count(where condition: Condition) throws -> UInt128? {
    try largeCount(where: condition)?.saturated
  }

  /// Returns the number of endings in which a condition is true, even if it exceeds `UInt128`;
  /// `nil` if it is unknown.
  package func largeCount(where condition: Condition) throws -> LargeCount? {
    try check(condition, mentionedBy: condition.description)
    return diagrams.ask { run throws(DiagramLimitReached) -> LargeCount? in
      guard let function = try run.function(of: condition) else { return nil }
      let cases = model.mentionedCases(and: condition)
      let counted = try run.countedScenarios(telling: cases)
      let both = try run.diagram.and(counted, function)
      return run.diagram.solutionCount(of: both)
    } ?? nil
  }

  /// Returns the numbers of endings in which none of the conditions are true, exactly one is true,
  /// exactly two are true, and so on.
  ///
  /// ```swift
  /// let screens = [home.completed, offline.completed, signUp.completed]
  /// print(try scenarios.tally(of: screens) ?? [])  // [0, 14, 2]: two endings show two screens
  /// ```
  ///
  /// A number that is 2¹²⁸ or more is returned as `UInt128.max`.
  ///
  /// - Parameter conditions: The conditions.
  /// - Returns: The numbers of endings; `nil` if they are unknown. The last number counts the
  ///   endings with the largest number of true conditions. The numbers add up to ``count``, unless
  ///   one of them is 2¹²⁸ or more, or the conditions mention cases that no condition of the pond
  ///   mentions.
  /// - Throws: The same errors as ``count(where:)``.
  /// - Complexity: O(*n* · *m*) conjunctions of diagrams for *n* conditions if at most *m* are true
  ///   together.
  public func tally(of conditions: [Condition]) throws -> [UInt128]? {
    try largeTally(of: conditions)?.map(\.saturated)
  }

  /// Returns the numbers of endings in which none of the conditions are true, exactly one is true,
  /// and so on, even if they exceed `UInt128`; `nil` if they are unknown.
  package func largeTally(of conditions: [Condition]) throws -> [LargeCount]? {
    for condition in conditions { try check(condition, mentionedBy: condition.description) }
    return diagrams.ask { run throws(DiagramLimitReached) -> [LargeCount]? in
      // At each index, the scenarios where that many of the conditions so far are true.
      let cases = model.mentionedCases(and: .all(conditions))
      var counted = [try run.countedScenarios(telling: cases)]
      for condition in conditions {
        guard let function = try run.function(of: condition) else { return nil }
        counted.append(.never)
        for number in counted.indices.reversed() {
          let before = number == 0 ? BooleanFunction.never : counted[number - 1]
          let without = try run.diagram.and(counted[number], !function)
          let with = try run.diagram.and(before, function)
          counted[number] = try run.diagram.or(without, with)
        }
        if counted.last == .never { counted.removeLast() }
      }
      return counted.map { run.diagram.solutionCount(of: $0) }
    } ?? nil
  }
}
