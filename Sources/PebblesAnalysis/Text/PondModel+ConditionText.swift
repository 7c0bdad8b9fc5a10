import Pebbles

extension PondModel {
  /// Reads a condition about the pebbles of the model, in the form in which conditions are printed.
  ///
  /// ```swift
  /// let noScreen = try model.condition("!(home.completed || \"sign up\".completed)")
  /// print(try model.scenarios().smallestFailures(leadingTo: noScreen))
  /// ```
  ///
  /// It reads everything that `Condition.description` writes, with the same meaning: operators,
  /// parentheses, names in quotes, labels, `.always` and `.never`.
  ///
  /// - Parameter text: The condition.
  /// - Returns: The condition.
  /// - Throws: ``TextError`` with the place and the expected text, if the text is no condition,
  ///   names a pebble or a case that the model does not have, was truncated when it was printed, or
  ///   has more than 2²¹ Unicode scalars (about two million).
  /// - Complexity: O(characters + pebbles).
  public func condition(_ text: String) throws(TextError) -> Condition {
    try Self.condition(text, namedPebbles)
  }

  static func condition(_ text: String, _ pebbles: NamedPebbles) throws(TextError) -> Condition {
    var parser = try ConditionParser(text, pebbles)
    let condition = try parser.condition()
    guard parser.next.kind == .end else {
      throw parser.fault("there should be &&, || or the end here")
    }
    return condition
  }
}
