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
    let before = bytes[..<min(max(0, offset), bytes.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    self.offset = before.count
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    // Bytes that continue a character do not count.
    column = before[lineStart...].count { $0 & 0b1100_0000 != 0b1000_0000 } + 1
    self.problem = problem
  }
}
