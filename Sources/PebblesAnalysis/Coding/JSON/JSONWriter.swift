import Pebbles

/// Writes a JSON document, a byte at a time and always in the same way.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var open: [Container] = []
  private var followsKey = false

  private struct Container {
    let isInLines: Bool
    let end: UInt8
    var isEmpty = true
  }

  // MARK: Lists and objects

  /// Starts an object. In lines, every key gets one of its own.
  mutating func beginObject(inLines: Bool = false) {
    begin("{", end: "}", inLines: inLines)
  }

  /// Starts a list. In lines, every element gets one of its own.
  mutating func beginList(inLines: Bool = false) {
    begin("[", end: "]", inLines: inLines)
  }

  /// Ends the list or object that was started last.
  mutating func end() {
    guard let container = open.popLast() else { preconditionFailure("nothing is open") }
    if container.isInLines, !container.isEmpty { newLine() }
    bytes.append(container.end)
  }

  private mutating func begin(_ start: Unicode.Scalar, end: Unicode.Scalar, inLines: Bool) {
    beginValue()
    bytes.append(UInt8(ascii: start))
    open.append(Container(isInLines: inLines, end: UInt8(ascii: end)))
  }

  // MARK: Values

  mutating func key(_ key: String) {
    value(key)
    append(": ")
    followsKey = true
  }

  mutating func value(_ string: String) {
    beginValue()
    append("\"")
    for byte in string.utf8 { append(escaped: byte) }
    append("\"")
  }

  mutating func value(_ bool: Bool) {
    beginValue()
    append(bool ? "true" : "false")
  }

  mutating func value(_ number: some FixedWidthInteger) {
    beginValue()
    bytes += "\(number)".utf8
  }

  mutating func value(_ duration: Duration) {
    value(duration.nanoseconds)
  }

  /// The comma and the space before a value, unless that follows its key.
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

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes += $0 }
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
