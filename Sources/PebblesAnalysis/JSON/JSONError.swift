/// A JSON document cannot be read: what is wrong with it, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// How many bytes of the document stand before the place.
  public let offset: Int

  /// The line of the place, from 1.
  public let line: Int

  /// The column of the place, from 1, in Unicode scalars.
  public let column: Int

  /// What is wrong there, and perhaps what to do, as a clause.
  public let problem: String

  /// The place and the problem: `line 3, column 12: there should be a comma here`.
  public var description: String { "line \(line), column \(column): \(problem)" }
}

extension JSONError {
  /// - Complexity: O(offset).
  init(_ problem: String, at offset: Int, in bytes: [UInt8]) {
    let position = JSONPosition(of: offset, in: bytes)
    self.offset = position.offset
    line = position.line
    column = position.column
    self.problem = problem
  }
}
