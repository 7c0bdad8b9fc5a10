import Pebbles

/// The error for a text that is not a condition or law, with the problem and its place.
public struct TextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of Unicode scalars in the text before the place of the problem.
  public let offset: Int

  /// The line number of the place, starting at 1.
  public let line: Int

  /// The column of the place in Unicode scalars, starting at 1.
  public let column: Int

  /// The problem without its place, sometimes with a remedy: `there should be an operand here`.
  public let problem: String

  /// The place and the problem: `line 1, column 8: there should be an operand here, not the end`.
  public var description: String { "line \(line), column \(column): \(problem)" }
}

extension TextError {
  /// Creates an error at a place of the text.
  ///
  /// - Complexity: O(offset).
  init(_ problem: String, at offset: Int, in scalars: some Sequence<Unicode.Scalar>) {
    var (line, column) = (1, 1)
    for scalar in scalars.prefix(offset) {
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }
    self.offset = offset
    self.line = line
    self.column = column
    self.problem = problem
  }
}
