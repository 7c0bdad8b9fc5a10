/// A place in a JSON document, in lines and columns.
struct JSONPosition {
  /// The number of bytes before the place.
  let offset: Int

  /// The line, from 1.
  let line: Int

  /// The column, from 1, in Unicode scalars.
  let column: Int

  /// Creates the place after `offset` bytes, or the nearest place in the document.
  ///
  /// - Complexity: O(offset).
  init(of offset: Int, in bytes: [UInt8]) {
    let end = min(max(0, offset), bytes.count)
    var (line, column) = (1, 1)
    // Raw memory is fast even without optimization. A document that is too long has many megabytes.
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
    (self.offset, self.line, self.column) = (end, line, column)
  }
}
