/// The bytes of a well-formed JSON document, and a list of the positions of its keys and values.
/// The list is in document order, and is flat even if values are nested.
package final class JSONDocument: Sendable {
  let bytes: [UInt8]
  let nodes: [Node]
  let limits: JSONLimits

  enum Kind: UInt8 {
    case object, array, key, string, number, `true`, `false`, null
  }

  /// The position of a value or a key. The node of an object is followed by the nodes of its keys
  /// and values. The node of a list is followed by the nodes of its values.
  struct Node {
    let kind: Kind

    /// Whether the node is a string or a key that contains escapes.
    let isEscaped: Bool

    /// The byte offset at which the value or key starts. A string starts at its opening quote.
    let start: Int

    /// The byte offset at which the value or key ends; for a list or an object, the index of the
    /// node after its contents.
    var end: Int

    /// Whether the node is a string or a key.
    var isText: Bool { kind == .string || kind == .key }
  }

  /// Creates a document by parsing bytes.
  ///
  /// - Throws: ``JSONError`` if the bytes are not JSON, or exceed the limits.
  /// - Complexity: O(bytes).
  package init(_ bytes: some Sequence<UInt8>, limits: JSONLimits) throws(JSONError) {
    self.bytes = bytes.prefix(within: limits)
    self.limits = limits
    var parser = JSONParser(self.bytes, limits: limits)
    nodes = try parser.parse()
  }

  /// Creates a document from the output of a writer that recorded the positions of values.
  init(_ writer: JSONWriter, limits: JSONLimits) {
    guard let nodes = writer.nodes else { preconditionFailure("the writer noted no places") }
    self.nodes = nodes
    bytes = writer.bytes
    self.limits = limits
  }

  package var root: JSONValue { JSONValue(document: self, index: 0) }

  /// Returns the index of the node after a value and its contents.
  func end(of index: Int) -> Int {
    switch nodes[index].kind {
    case .object, .array: nodes[index].end
    case .key, .string, .number, .true, .false, .null: index + 1
    }
  }

  /// Returns the contents of a string or a key, with escapes replaced.
  func text(of index: Int) -> String {
    let node = nodes[index]
    let raw = bytes[node.start + 1..<node.end - 1]
    return String(decoding: node.isEscaped ? Self.unescaped(raw) : Array(raw), as: UTF8.self)
  }

  /// Returns whether the key at an index is exactly the given key.
  func isKey(_ index: Int, _ key: StaticString) -> Bool {
    let node = nodes[index]
    guard !node.isEscaped else { return text(of: index) == "\(key)" }
    guard node.end - node.start - 2 == key.utf8CodeUnitCount else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for position in 0..<key.utf8CodeUnitCount
      where key.utf8Start[position] != bytes[node.start + 1 + position] {
        return false
      }
      return true
    }
  }

  /// Returns the bytes of a string with its escapes replaced. The parser must have accepted the
  /// string.
  private static func unescaped(_ raw: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var rest = raw
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
        text.append(byte)
        continue
      }
      switch escape {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"): text += UTF8.encode(scalar(&rest)) ?? UTF8.encodedReplacementCharacter
      default: text.append(escape)
      }
    }
    return text
  }

  /// Reads an escaped character, starting at the digits after `\u`. If the character is written as
  /// two escapes, both are read.
  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
    let high = unit(&rest)
    guard 0xD800..<0xE000 ~= high else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
    rest = rest.dropFirst(2)
    let low = unit(&rest)
    return Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF) ?? "\u{FFFD}"
  }

  private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return digits.reduce(0) { $0 << 4 | UInt32($1.hexDigit ?? 0) }
  }
}

extension Sequence<UInt8> {
  /// Returns the bytes, truncated to one byte more than the limit. If the additional byte is
  /// present, the document is too long.
  func prefix(within limits: JSONLimits) -> [UInt8] {
    let most = limits.bytes == .max ? .max : Swift.max(0, limits.bytes) + 1
    // Copying byte by byte takes longer than parsing.
    let copied = withContiguousStorageIfAvailable { Array($0.prefix(most)) }
    return copied ?? Array(prefix(most))
  }
}
