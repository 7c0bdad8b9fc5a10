/// A scanner that reads the numbers, strings and other multi-byte tokens of a JSON document.
struct JSONScanner {
  let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The byte at the position; `nil` at the end of the document.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func advance() { position += 1 }

  mutating func skipWhitespace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  mutating func scan(word: StaticString) throws(JSONError) {
    let start = position
    for index in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[index] else {
        throw fault("there should be a value here", at: start)
      }
      advance()
    }
  }

  /// Reads a number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
  mutating func scanNumber() throws(JSONError) {
    skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try scanDigits() }
    if skip(UInt8(ascii: ".")) { try scanDigits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try scanDigits()
    }
  }

  /// Reads a string whose opening quote is the next byte.
  ///
  /// - Returns: Whether the string contains escapes.
  mutating func scanString(within limits: JSONLimits) throws(JSONError) -> Bool {
    let start = position
    var isEscaped = false
    advance()
    while let byte = next {
      guard position - start - 1 <= limits.stringBytes else {
        throw fault(limits.problemWithString, at: start)
      }
      if byte == UInt8(ascii: "\"") {
        advance()
        return isEscaped
      }
      switch byte {
      case UInt8(ascii: "\\"):
        isEscaped = true
        try scanEscape()
      case 0x00..<0x20:
        throw fault("a control character in a string has to be written as an escape")
      case 0x20..<0x80:
        advance()
      default:
        try scanCharacter(startingWith: byte)
      }
    }
    throw fault("the document ends in the string that starts here; is it truncated?", at: start)
  }

  /// Reads a multi-byte character, which must be well-formed UTF-8 (The Unicode Standard, table
  /// 3-7).
  private mutating func scanCharacter(startingWith byte: UInt8) throws(JSONError) {
    let continuation: ClosedRange<UInt8> = 0x80...0xBF
    let (rest, second): (Int, ClosedRange<UInt8>) =
      switch byte {
      case 0xC2...0xDF: (1, continuation)
      case 0xE0: (2, 0xA0...0xBF)
      case 0xE1...0xEC, 0xEE...0xEF: (2, continuation)
      case 0xED: (2, 0x80...0x9F)
      case 0xF0: (3, 0x90...0xBF)
      case 0xF1...0xF3: (3, continuation)
      case 0xF4: (3, 0x80...0x8F)
      default: (0, continuation)
      }
    let end = position + 1 + rest
    let isValid =
      rest > 0 && end <= bytes.count && second.contains(bytes[position + 1])
      && bytes[position + 2..<end].allSatisfy(continuation.contains)
    guard isValid else { throw fault("this is not UTF-8 text") }
    position = end
  }

  private mutating func scanEscape() throws(JSONError) {
    let start = position
    advance()
    switch next {
    case UInt8(ascii: "u"):
      advance()
      let unit = try scanUnit(ofEscapeAt: start)
      guard 0xD800..<0xE000 ~= unit else { return }
      guard unit < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")),
        0xDC00..<0xE000 ~= (try scanUnit(ofEscapeAt: start))
      else { throw fault("this escape is half a character; the other half is missing", at: start) }
    case .some(let byte) where #""\/bfnrt"#.utf8.contains(byte):
      advance()
    case .some, .none:
      throw fault("this escape is not one of JSON's", at: start)
    }
  }

  private mutating func scanUnit(ofEscapeAt start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next?.hexDigit else {
        throw fault("this escape should have four hexadecimal digits", at: start)
      }
      unit = unit << 4 | UInt32(digit)
      advance()
    }
    return unit
  }

  private mutating func scanDigits() throws(JSONError) {
    guard next?.isDigit == true else { throw fault("there should be a digit here") }
    while next?.isDigit == true { advance() }
  }

  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    advance()
    return true
  }

  func fault(_ problem: String) -> JSONError { fault(problem, at: position) }

  func fault(_ problem: String, at offset: Int) -> JSONError {
    JSONError(problem, at: offset, in: bytes)
  }
}

extension UInt8 {
  /// The value of this ASCII character as a hexadecimal digit; `nil` if it is not a digit.
  var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
