/// Checks that bytes are one well-formed JSON document (RFC 8259) of limited depth.
///
/// `JSONDecoder` on Linux says of a truncated file only that it is "not valid JSON", accepts some
/// that are not, and recurses as deep as the document does. This says where, is strict, and keeps
/// the open containers in an array.
struct JSONSyntax {
  struct Fault: Error, Equatable, CustomStringConvertible {
    let line: Int
    let column: Int
    let problem: String

    var description: String { "line \(line), column \(column): \(problem)" }
  }

  private enum Container { case array, object }

  private enum Expectation: String {
    case value = "a value"
    case valueOrEnd = "a value or ]"
    case key = "a name in quotes"
    case keyOrEnd = "a name in quotes or }"
    case colon = "a colon"
    case commaOrEnd = "a comma or the end of the list or object"
    case nothing = "nothing more"
  }

  private var cursor: JSONCursor
  private var open: [Container] = []
  private var expected = Expectation.value
  private let depthLimit: Int

  /// Complexity: O(*n*) in the number of bytes, with one array of at most `depthLimit` elements.
  static func check(_ bytes: [UInt8], depthLimit: Int) throws(Fault) {
    var syntax = JSONSyntax(cursor: JSONCursor(bytes), depthLimit: depthLimit)
    try syntax.cursor.checkEncoding()
    while try syntax.step() {}
  }

  private init(cursor: JSONCursor, depthLimit: Int) {
    self.cursor = cursor
    self.depthLimit = depthLimit
  }

  /// Takes one token; `false` at the end of a complete document.
  private mutating func step() throws(Fault) -> Bool {
    cursor.skipWhitespace()
    guard let byte = cursor.next else {
      guard expected == .nothing else {
        throw cursor.fault("the file ends where \(expected.rawValue) should be; is it truncated?")
      }
      return false
    }
    switch (expected, byte) {
    case (.value, _),
      (.valueOrEnd, _) where byte != UInt8(ascii: "]"):
      try takeValue(startingWith: byte)
    case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")):
      try cursor.skipString()
      expected = .colon
    case (.colon, UInt8(ascii: ":")):
      cursor.advance()
      expected = .value
    case (.commaOrEnd, UInt8(ascii: ",")):
      cursor.advance()
      expected = open.last == .object ? .key : .value
    case (.valueOrEnd, _), (.keyOrEnd, UInt8(ascii: "}")), (.commaOrEnd, _):
      try close(with: byte)
    case (.key, _), (.keyOrEnd, _), (.colon, _), (.nothing, _):
      throw unexpected()
    }
    return true
  }

  private mutating func takeValue(startingWith byte: UInt8) throws(Fault) {
    switch byte {
    case UInt8(ascii: "{"):
      try open(.object)
      expected = .keyOrEnd
      return
    case UInt8(ascii: "["):
      try open(.array)
      expected = .valueOrEnd
      return
    case UInt8(ascii: "\""): try cursor.skipString()
    case UInt8(ascii: "t"): try cursor.skipWord("true")
    case UInt8(ascii: "f"): try cursor.skipWord("false")
    case UInt8(ascii: "n"): try cursor.skipWord("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try cursor.skipNumber()
    default: throw unexpected()
    }
    valueEnded()
  }

  private mutating func open(_ container: Container) throws(Fault) {
    guard open.count < depthLimit else {
      throw cursor.fault("lists and objects are nested more than \(depthLimit) levels deep")
    }
    open.append(container)
    cursor.advance()
  }

  private mutating func close(with byte: UInt8) throws(Fault) {
    let end = open.last == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard byte == end else { throw unexpected() }
    open.removeLast()
    cursor.advance()
    valueEnded()
  }

  private mutating func valueEnded() {
    expected = open.isEmpty ? .nothing : .commaOrEnd
  }

  private func unexpected() -> Fault {
    cursor.fault("there should be \(expected.rawValue) here")
  }
}
