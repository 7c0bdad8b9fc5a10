import Pebbles

extension Scenarios {
  /// In how many endings a condition is true: see ``count``. Those are told apart by the cases that
  /// the condition mentions, too.
  ///
  /// ```swift
  /// try scenarios.count(where: offline.completed)
  /// ```
  ///
  /// From 2¹²⁸ up a number does not fit, and shares made of such numbers are wrong: `UInt128.max`
  /// stands for that many or more.
  ///
  /// - Parameter condition: The condition.
  /// - Returns: How many, at most `UInt128.max`; `nil` if that is unknown.
  /// - Throws: `UnknownPebbleError` if it mentions a pebble that the model does not have.
  /// - Complexity: Two conjunctions of diagrams, and what ``count`` takes.
  public func count(where condition: Condition) throws -> UInt128? {
    try largeCount(where: condition)?.saturated
  }

  /// In how many endings a condition is true, however many those are.
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

  /// In how many endings none of some conditions is true, in how many one of them, and so on.
  ///
  /// ```swift
  /// let screens = [home.completed, offline.completed, signUp.completed]
  /// print(try scenarios.tally(of: screens) ?? [])  // [0, 14, 2]: in two, two screens are shown
  /// ```
  ///
  /// A number from 2¹²⁸ up does not fit: `UInt128.max` stands for that many or more.
  ///
  /// - Parameter conditions: The conditions.
  /// - Returns: The numbers of endings, up to the largest number of conditions that are ever
  ///   true together; they add up to ``count``, unless the conditions mention cases that no pebble
  ///   does, or a number does not fit. `nil` if that is unknown.
  /// - Throws: As ``count(where:)``.
  /// - Complexity: O(*n* · *m*) conjunctions of diagrams for *n* conditions of which at most *m*
  ///   are true together.
  public func tally(of conditions: [Condition]) throws -> [UInt128]? {
    try largeTally(of: conditions)?.map(\.saturated)
  }

  /// In how many endings none of some conditions is true, one of them, and so on, however many
  /// those are.
  package func largeTally(of conditions: [Condition]) throws -> [LargeCount]? {
    for condition in conditions { try check(condition, mentionedBy: condition.description) }
    return diagrams.ask { run throws(DiagramLimitReached) -> [LargeCount]? in
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
