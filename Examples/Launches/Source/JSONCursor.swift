/// A place in the bytes of a JSON document, and the tokens that are longer than a byte.
struct JSONCursor {
  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // Not JSON, strictly, but what some editors put in front of it, and decoders skip.
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The byte at the cursor; `nil` at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func advance() { position += 1 }

  mutating func skipWhitespace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      advance()
    }
  }

  mutating func skipWord(_ word: StaticString) throws(JSONSyntax.Fault) {
    let start = position
    for index in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[index] else {
        throw fault("there should be a value here", at: start)
      }
      advance()
    }
  }

  /// Skips `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
  mutating func skipNumber() throws(JSONSyntax.Fault) {
    skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try skipDigits() }
    if skip(UInt8(ascii: ".")) { try skipDigits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try skipDigits()
    }
  }

  /// Skips a string, the cursor being at its opening quote.
  mutating func skipString() throws(JSONSyntax.Fault) {
    let start = position
    advance()
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        advance()
        return
      case UInt8(ascii: "\\"):
        try skipEscape()
      case 0x00..<0x20:
        throw fault("a control character in text has to be written as an escape")
      default:
        advance()
      }
    }
    throw fault("the file ends in the text that starts here; is it truncated?", at: start)
  }

  private mutating func skipEscape() throws(JSONSyntax.Fault) {
    let start = position
    advance()
    switch next {
    case UInt8(ascii: "u"):
      advance()
      let unit = try skipHexadecimal(of: start)
      guard 0xD800..<0xE000 ~= unit else { return }
      // Half of a surrogate pair is no character; the other half has to follow.
      guard unit < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")),
        0xDC00..<0xE000 ~= (try skipHexadecimal(of: start))
      else { throw fault("this escape is half a character", at: start) }
    case .some(let byte) where #""\/bfnrt"#.utf8.contains(byte):
      advance()
    case .some, .none:
      throw fault("this escape is not one of JSON's", at: start)
    }
  }

  private mutating func skipHexadecimal(of escape: Int) throws(JSONSyntax.Fault) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("this escape should have four hexadecimal digits", at: escape)
      }
      unit = unit << 4 | UInt32(digit)
      advance()
    }
    return unit
  }

  private mutating func skipDigits() throws(JSONSyntax.Fault) {
    guard skipDigit() else { throw fault("there should be a digit here") }
    while skipDigit() {}
  }

  private mutating func skipDigit() -> Bool {
    guard let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return false }
    advance()
    return true
  }

  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    advance()
    return true
  }
}

extension JSONCursor {
  /// Throws at the first byte that is not part of valid UTF-8. Finding it is the slow part.
  func checkEncoding() throws(JSONSyntax.Fault) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): position += scalar.count
      case .error: throw fault("this is not UTF-8 text", at: position)
      case .emptyInput: return
      }
    }
  }

  func fault(_ problem: String) -> JSONSyntax.Fault { fault(problem, at: position) }

  /// Lines and columns count from 1, as editors show them; columns count characters, not bytes.
  private func fault(_ problem: String, at position: Int) -> JSONSyntax.Fault {
    let before = bytes[..<position]
    let line = before.count { $0 == 0x0A } + 1
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = before[lineStart...].count { $0 & 0b1100_0000 != 0b1000_0000 } + 1
    return JSONSyntax.Fault(line: line, column: column, problem: problem)
  }
}
