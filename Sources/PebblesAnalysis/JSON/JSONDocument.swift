/// The bytes of a well-formed JSON document, with the places of its values in one flat list, in the
/// order in which they stand there: nothing in it is as deep as the document.
package final class JSONDocument: Sendable {
  let bytes: [UInt8]
  let nodes: [Node]
  let limits: JSONLimits

  enum Kind: UInt8 {
    case object, array, key, string, number, `true`, `false`, null
  }

  /// A value, or the key before one. Keys and values of an object, and the values of a list, follow
  /// it in the list.
  struct Node {
    let kind: Kind

    /// Whether escapes stand in a string.
    let isEscaped: Bool

    /// Where it starts in the document; strings at their quotes.
    let start: Int

    /// Where it ends in the document, or, for a list or an object, which node follows its last.
    var end: Int

    /// Whether it is a string or a key.
    var isText: Bool { kind == .string || kind == .key }
  }

  /// - Throws: ``JSONError`` if that is no JSON, or more than the limits allow.
  /// - Complexity: O(bytes).
  package init(_ bytes: some Sequence<UInt8>, limits: JSONLimits) throws(JSONError) {
    self.bytes = bytes.prefix(within: limits)
    self.limits = limits
    var parser = JSONParser(self.bytes, limits: limits)
    nodes = try parser.parse()
  }

  /// Takes over what was written by a writer that noted places.
  init(_ writer: JSONWriter, limits: JSONLimits) {
    guard let nodes = writer.nodes else { preconditionFailure("the writer noted no places") }
    self.nodes = nodes
    bytes = writer.bytes
    self.limits = limits
  }

  package var root: JSONValue { JSONValue(document: self, index: 0) }

  /// The node after a value and all that is in it.
  func end(of index: Int) -> Int {
    switch nodes[index].kind {
    case .object, .array: nodes[index].end
    case .key, .string, .number, .true, .false, .null: index + 1
    }
  }

  /// What a string or a key says.
  func text(of index: Int) -> String {
    let node = nodes[index]
    let raw = bytes[node.start + 1..<node.end - 1]
    return String(decoding: node.isEscaped ? Self.unescaped(raw) : Array(raw), as: UTF8.self)
  }

  /// Whether a key says exactly this.
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

  /// The text of a string that the parser has let pass.
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

  /// The character behind `\u`, which may be written as two.
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
  /// As many bytes as it takes to see whether there are too many.
  func prefix(within limits: JSONLimits) -> [UInt8] {
    let most = limits.bytes == .max ? .max : Swift.max(0, limits.bytes) + 1
    // One by one takes longer than reading does.
    let copied = withContiguousStorageIfAvailable { Array($0.prefix(most)) }
    return copied ?? Array(prefix(most))
  }
}
