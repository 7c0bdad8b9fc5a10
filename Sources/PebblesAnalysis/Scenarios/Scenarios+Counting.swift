import Pebbles

extension Scenarios {
  /// In how many endings a condition is true: see ``count``. Those are told apart by the cases that
  /// the condition mentions, too.
  ///
  /// ```swift
  /// try scenarios.count(where: offline.completed)
  /// ```
  ///
  /// - Returns: How many, at most `UInt128.max`; `nil` if that is unknown.
  /// - Throws: `UnknownPebbleError` if it mentions a pebble that the model does not have.
  /// - Complexity: Two conjunctions of diagrams, and what ``count`` takes.
  public func count(where condition: Condition) throws -> UInt128? {
    try check(condition, mentionedBy: condition.description)
    return diagrams.ask { run throws(DiagramLimitReached) -> UInt128? in
      guard let function = try run.function(of: condition) else { return nil }
      let cases = model.mentionedCases(and: condition)
      let counted = try run.countedScenarios(telling: cases)
      let both = try run.diagram.and(counted, function)
      return run.diagram.solutionCount(of: both)
    } ?? nil
  }

  /// In how many endings none of some conditions is true, in how many one of them, and so on.
  ///
  /// ```swift
  /// let screens = [home.completed, offline.completed, signUp.completed]
  /// print(try scenarios.tally(of: screens) ?? [])  // [0, 14, 2]: in two, two screens are shown
  /// ```
  ///
  /// - Parameter conditions: The conditions.
  /// - Returns: The numbers of endings, up to the largest number of conditions that are ever
  ///   true together; they add up to ``count``, unless the conditions mention cases that no pebble
  ///   does. `nil` if that is unknown.
  /// - Throws: As ``count(where:)``.
  /// - Complexity: O(*n* · *m*) conjunctions of diagrams for *n* conditions of which at most *m*
  ///   are true together.
  public func tally(of conditions: [Condition]) throws -> [UInt128]? {
    for condition in conditions { try check(condition, mentionedBy: condition.description) }
    return diagrams.ask { run throws(DiagramLimitReached) -> [UInt128]? in
      // By number, the scenarios in which so many of the conditions so far are true.
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
