import Pebbles

/// An error that describes and locates a problem in the text of a condition or a law.
public struct TextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The offset of the problem from the start of the text, in Unicode scalars.
  public let offset: Int

  /// The line number of the problem, starting at 1.
  public let line: Int

  /// The column of the problem, starting at 1, counted in Unicode scalars.
  public let column: Int

  /// The problem without its position, sometimes followed by a suggestion:
  /// `no pebble is named logn; did you mean login?`.
  public let problem: String

  /// The position and the problem:
  /// `line 1, column 8: no pebble is named logn; did you mean login?`.
  public var description: String { "line \(line), column \(column): \(problem)" }
}

extension TextError {
  /// Creates an error for a problem at an offset in the text.
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
