import Pebbles

extension PondModel {
  /// Parses a condition on the pebbles of the model, in the form in which conditions are printed.
  ///
  /// ```swift
  /// let noScreen = try model.condition("!(home.completed || \"sign up\".completed)")
  /// print(try model.scenarios().smallestFailures(leadingTo: noScreen))
  /// ```
  ///
  /// This method accepts everything that `Condition.description` writes, with the same meaning:
  /// operators, parentheses, names in quotes, labels, `.always` and `.never`.
  ///
  /// - Parameter text: The text of the condition.
  /// - Returns: The condition.
  /// - Throws: ``TextError`` if the text is not a condition, was truncated when it was printed, or
  ///   has more than 2²¹ Unicode scalars (about two million). This error is also thrown if the text
  ///   names a pebble or a case that the model does not have. The error states where the problem
  ///   is and, if possible, the expected text.
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
