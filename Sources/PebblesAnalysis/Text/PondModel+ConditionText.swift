import Pebbles

extension PondModel {
  /// Reads a condition over the pebbles of the model, in the form in which conditions print.
  ///
  /// ```swift
  /// let noScreen = try model.condition("!(home.completed || \"sign up\".completed)")
  /// print(try model.scenarios().smallestFailures(leadingTo: noScreen))
  /// ```
  ///
  /// All that `Condition.description` writes is read, with the same meaning: operators,
  /// parentheses, names in quotes, labels, `.always` and `.never`.
  ///
  /// - Parameter text: The condition.
  /// - Returns: The condition.
  /// - Throws: ``TextError``, with the place and what should be there, if the text is no condition,
  ///   names a pebble that the model does not have, was cut when it was printed, or has more than
  ///   two million characters.
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
