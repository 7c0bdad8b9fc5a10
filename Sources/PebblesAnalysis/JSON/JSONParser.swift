/// A strict parser for one JSON document (RFC 8259). It enforces limits and uses no recursion.
///
/// The parser accepts objects with repeated keys. Such an object is rejected only when it is read
/// with `JSONValue.object(_:)`.
struct JSONParser {
  private enum Expectation: String {
    case value = "a value"
    case valueOrEnd = "a value or ]"
    case key = "a key in quotes"
    case keyOrEnd = "a key in quotes or }"
    case colon = "a colon"
    case commaOrEnd = "a comma or the end of the list or object"
    case nothing = "nothing more"
  }

  private var scanner: JSONScanner
  private let limits: JSONLimits
  private var nodes: [JSONDocument.Node] = []

  /// The node indices of the lists and objects that have not ended yet, outermost first.
  private var open: [Int] = []
  private var expected = Expectation.value

  init(_ bytes: [UInt8], limits: JSONLimits) {
    scanner = JSONScanner(bytes)
    self.limits = limits
  }

  mutating func parse() throws(JSONError) -> [JSONDocument.Node] {
    guard scanner.bytes.count <= limits.bytes else {
      throw scanner.fault(limits.problemWithBytes, at: limits.bytes)
    }
    if scanner.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw scanner.fault("the document starts with a byte order mark; JSON has none")
    }
    while try step() {}
    return nodes
  }

  /// Reads one token. Returns `false` at the end of a complete document.
  private mutating func step() throws(JSONError) -> Bool {
    scanner.skipWhitespace()
    guard let byte = scanner.next else {
      guard expected == .nothing else {
        throw scanner.fault(
          "the document ends where \(expected.rawValue) should be; is it truncated?")
      }
      return false
    }
    switch (expected, byte) {
    case (.value, _),
      (.valueOrEnd, _) where byte != UInt8(ascii: "]"):
      try takeValue(startingWith: byte)
    case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")):
      try takeString(as: .key)
      expected = .colon
    case (.colon, UInt8(ascii: ":")):
      scanner.advance()
      expected = .value
    case (.commaOrEnd, UInt8(ascii: ",")):
      scanner.advance()
      expected = isInObject ? .key : .value
    case (.valueOrEnd, _), (.keyOrEnd, UInt8(ascii: "}")), (.commaOrEnd, _):
      try close(with: byte)
    case (.key, _), (.keyOrEnd, _), (.colon, _), (.nothing, _):
      throw unexpected()
    }
    return true
  }

  private mutating func takeValue(startingWith byte: UInt8) throws(JSONError) {
    let start = scanner.position
    switch byte {
    case UInt8(ascii: "{"):
      try open(.object)
      expected = .keyOrEnd
      return
    case UInt8(ascii: "["):
      try open(.array)
      expected = .valueOrEnd
      return
    case UInt8(ascii: "\""):
      try takeString(as: .string)
    case UInt8(ascii: "t"):
      try scanner.scan(word: "true")
      try append(.true, from: start)
    case UInt8(ascii: "f"):
      try scanner.scan(word: "false")
      try append(.false, from: start)
    case UInt8(ascii: "n"):
      try scanner.scan(word: "null")
      try append(.null, from: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try scanner.scanNumber()
      try append(.number, from: start)
    default:
      throw unexpected()
    }
    valueEnded()
  }

  private mutating func takeString(as kind: JSONDocument.Kind) throws(JSONError) {
    let start = scanner.position
    let isEscaped = try scanner.scanString(within: limits)
    try append(kind, isEscaped: isEscaped, from: start)
  }

  private mutating func open(_ kind: JSONDocument.Kind) throws(JSONError) {
    guard open.count < limits.depth else {
      throw scanner.fault(limits.problemWithDepth)
    }
    open.append(nodes.count)
    try append(kind, from: scanner.position)
    scanner.advance()
  }

  private mutating func close(with byte: UInt8) throws(JSONError) {
    let end = isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard byte == end, let container = open.popLast() else { throw unexpected() }
    nodes[container].end = nodes.count
    scanner.advance()
    valueEnded()
  }

  private mutating func append(
    _ kind: JSONDocument.Kind, isEscaped: Bool = false, from start: Int
  ) throws(JSONError) {
    guard nodes.count < limits.values else {
      throw scanner.fault(limits.problemWithValues, at: start)
    }
    nodes.append(
      JSONDocument.Node(kind: kind, isEscaped: isEscaped, start: start, end: scanner.position))
  }

  private var isInObject: Bool { open.last.map { nodes[$0].kind == .object } ?? false }

  private mutating func valueEnded() {
    expected = open.isEmpty ? .nothing : .commaOrEnd
  }

  private func unexpected() -> JSONError {
    scanner.fault("there should be \(expected.rawValue) here")
  }
}
