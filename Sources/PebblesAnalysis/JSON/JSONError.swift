/// An error thrown when a JSON document cannot be read. The error states the problem and its
/// position in the document.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The byte offset of the error in the document.
  public let offset: Int

  /// The line number of the error, starting at 1.
  public let line: Int

  /// The column of the error in Unicode scalars, starting at 1.
  public let column: Int

  /// The problem without its position, sometimes with advice: `there should be a comma here`.
  public let problem: String

  /// The position and the problem: `line 3, column 12: there should be a comma here`.
  public var description: String { "line \(line), column \(column): \(problem)" }
}

extension JSONError {
  /// Creates an error for the position after the first `offset` bytes of a document. An offset
  /// outside the document is replaced by the nearest offset in it.
  ///
  /// - Complexity: O(offset).
  init(_ problem: String, at offset: Int, in bytes: [UInt8]) {
    let end = min(max(0, offset), bytes.count)
    var (line, column) = (1, 1)
    // Raw memory is fast even without optimization, and the error for a document that is too long
    // is many megabytes from its start.
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while place < end {
        let byte = bytes[place]
        place += 1
        if byte == UInt8(ascii: "\n") {
          (line, column) = (line + 1, 1)
        } else if byte & 0b1100_0000 != 0b1000_0000 {
          // Bytes that continue a character do not count.
          column += 1
        }
      }
    }
    (self.offset, self.line, self.column, self.problem) = (end, line, column, problem)
  }
}
