import Pebbles

/// A writer that builds the bytes of a JSON document. The same values always produce the same
/// bytes.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  /// The positions of the values written so far; `nil` if the writer does not record positions.
  private(set) var nodes: [JSONDocument.Node]?

  private var open: [Container] = []
  private var followsKey = false

  private struct Container {
    let isInLines: Bool
    var isEmpty = true
  }

  private let breaksLines: Bool

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - notesPlaces: Whether to record the positions of values. If so, the result can become a
  ///     ``JSONDocument`` without being parsed.
  ///   - breaksLines: Whether the document may span several lines.
  package init(notesPlaces: Bool = false, breaksLines: Bool = true) {
    self.breaksLines = breaksLines
    if notesPlaces { nodes = [] }
  }

  // MARK: Lists and objects

  /// The number of lists and objects that have been started but not ended.
  package var depth: Int { open.count }

  /// Writes an object. If `inLines` is `true`, each key is on its own line.
  package mutating func object<Failure: Error>(
    inLines: Bool = false, _ writeMembers: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try container(.object, inLines: inLines, writeMembers)
  }

  /// Writes a list. If `inLines` is `true`, each element is on its own line.
  package mutating func list<Failure: Error>(
    inLines: Bool = false, _ writeElements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try container(.array, inLines: inLines, writeElements)
  }

  private mutating func container<Failure: Error>(
    _ kind: JSONDocument.Kind, inLines: Bool,
    _ writeContent: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginValue()
    let node = nodes?.count ?? 0
    note(kind, from: bytes.count)
    append(kind == .object ? "{" : "[")
    let inLines = inLines && breaksLines
    open.append(Container(isInLines: inLines))
    try writeContent(&self)
    let container = open.removeLast()
    if inLines, !container.isEmpty { newLine() }
    append(kind == .object ? "}" : "]")
    if let count = nodes?.count { nodes?[node].end = count }
  }

  // MARK: Keys and values

  package mutating func key(_ key: String) {
    beginValue()
    append(quoted: key, as: .key)
    append(": ")
    followsKey = true
  }

  package mutating func value(_ string: String) {
    beginValue()
    append(quoted: string, as: .string)
  }

  package mutating func value(_ bool: Bool) {
    beginValue()
    let start = bytes.count
    append(bool ? "true" : "false")
    note(bool ? .true : .false, from: start)
  }

  package mutating func value(_ number: some FixedWidthInteger) {
    beginValue()
    let start = bytes.count
    bytes += number.description.utf8
    note(.number, from: start)
  }

  /// Writes a number given as a string, such as `0.5`.
  package mutating func value(number text: String) { append(text, as: .number) }

  package mutating func null() { append("null", as: .null) }

  /// Writes an unquoted value: a number, a truth value or `null`.
  private mutating func append(_ text: String, as kind: JSONDocument.Kind) {
    beginValue()
    let start = bytes.count
    bytes += text.utf8
    note(kind, from: start)
  }

  private mutating func note(
    _ kind: JSONDocument.Kind, isEscaped: Bool = false, from start: Int
  ) {
    nodes?.append(
      JSONDocument.Node(kind: kind, isEscaped: isEscaped, start: start, end: bytes.count))
  }

  /// Writes the separator before a key or a list element: a comma and a line break if each element
  /// is on its own line; otherwise, a comma and a space. Before the first key or element, writes
  /// only the line break, if any. Writes nothing before a value that follows its key.
  private mutating func beginValue() {
    guard !followsKey, let container = open.indices.last else {
      followsKey = false
      return
    }
    if !open[container].isEmpty { append(",") }
    if open[container].isInLines {
      newLine()
    } else if !open[container].isEmpty {
      append(" ")
    }
    open[container].isEmpty = false
  }

  private mutating func newLine() {
    append("\n")
    for container in open where container.isInLines { append("  ") }
  }

  // MARK: Text

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes += $0 }
  }

  private mutating func append(quoted text: String, as kind: JSONDocument.Kind) {
    let start = bytes.count
    let isEscaped = text.utf8.contains {
      $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
    }
    append("\"")
    if isEscaped {
      for byte in text.utf8 { append(escaped: byte) }
    } else {
      bytes += text.utf8
    }
    append("\"")
    note(kind, isEscaped: isEscaped, from: start)
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    case 0..<0x20:
      append("\\u00")
      bytes += [Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 0xF)]]
    default: bytes.append(byte)
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}

extension JSONWriter {
  /// Writes a key and its value, or nothing if the value is `nil`.
  package mutating func member(_ key: String, _ value: (some JSONWritable)?) {
    guard let value else { return }
    self.key(key)
    value.write(to: &self)
  }

  /// Writes a key and a list.
  package mutating func member(_ key: String, _ elements: some Sequence<some JSONWritable>) {
    member(key, elements) { $0.write(to: &$1) }
  }

  /// Writes a key and a list, using `write` to write each element.
  package mutating func member<Element>(
    _ key: String, _ elements: some Sequence<Element>, inLines: Bool = false,
    _ write: (Element, inout JSONWriter) -> Void
  ) {
    self.key(key)
    list(inLines: inLines) { writer in
      for element in elements { write(element, &writer) }
    }
  }
}
