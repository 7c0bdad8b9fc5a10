/// A place in a JSON document, as people count: in lines and columns.
struct JSONPosition {
  /// How many bytes stand before it.
  let offset: Int

  /// From 1.
  let line: Int

  /// From 1, in Unicode scalars.
  let column: Int

  /// The place behind so many bytes, or the nearest that there is.
  ///
  /// - Complexity: O(offset).
  init(of offset: Int, in bytes: [UInt8]) {
    let before = bytes[..<min(max(0, offset), bytes.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    self.offset = before.count
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    // Bytes that continue a character do not count.
    column = before[lineStart...].count { $0 & 0b1100_0000 != 0b1000_0000 } + 1
  }
}
