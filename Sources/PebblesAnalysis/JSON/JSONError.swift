/// An error thrown if a JSON document cannot be read, with the problem and its place.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of bytes in the document before the place of the error.
  public let offset: Int

  /// The line number of the error, starting at 1.
  public let line: Int

  /// The column of the error in Unicode scalars, starting at 1.
  public let column: Int

  /// The problem without its place, sometimes with advice: `there should be a comma here`.
  public let problem: String

  /// The place and the problem: `line 3, column 12: there should be a comma here`.
  public var description: String { "line \(line), column \(column): \(problem)" }
}

extension JSONError {
  /// Creates an error for a place in a document.
  ///
  /// - Complexity: O(offset).
  init(_ problem: String, at offset: Int, in bytes: [UInt8]) {
    let position = JSONPosition(of: offset, in: bytes)
    self.offset = position.offset
    line = position.line
    column = position.column
    self.problem = problem
  }
}
