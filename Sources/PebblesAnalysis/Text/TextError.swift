import Pebbles

/// An error that describes a problem, and its place, in a text that is not a valid condition or
/// law.
public struct TextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The offset of the problem from the start of the text, in Unicode scalars.
  public let offset: Int

  /// The line number of the problem, starting at 1.
  public let line: Int

  /// The column of the problem, starting at 1, counted in Unicode scalars.
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
