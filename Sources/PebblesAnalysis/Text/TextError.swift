import Pebbles

/// A condition or a law cannot be read from text: what is wrong with it, and where.
public struct TextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// How many Unicode scalars of the text stand before the place.
  public let offset: Int

  /// The line of the place, from 1.
  public let line: Int

  /// The column of the place, from 1, in Unicode scalars.
  public let column: Int

  /// What is wrong there, and perhaps what to do, as a clause.
  public let problem: String

  /// The place and the problem: `line 1, column 8: there should be an operand here, not the end`.
  public var description: String { "line \(line), column \(column): \(problem)" }
}

extension TextError {
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
