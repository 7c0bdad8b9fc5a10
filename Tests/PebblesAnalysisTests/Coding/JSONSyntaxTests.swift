import PebblesAnalysis
import Testing

/// Tests that invalid or oversized JSON is rejected with an error that names the position.
@Suite struct JSONSyntaxTests {
  @Test(arguments: brokenDocuments)
  func whatIsNoJSONIsAnErrorAtItsPlace(_ text: String, _ place: String, _ problem: String) {
    expectFault(Array(text.utf8), place, problem)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0xE0, 0x80, 0x80, 0x22], 1),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
      ([0x22, 0x61, 0x80, 0x22], 2), ([0x22, 0xE2, 0x82, 0x22], 1), ([0x22, 0xF0, 0x9F], 1),
      ([0x22, 0xC3, 0xA4, 0xC3, 0x22], 3),
    ] as [([UInt8], Int)])
  func textThatIsNotUTF8IsAnError(_ bytes: [UInt8], _ offset: Int) {
    let error = #expect(throws: JSONError.self) { try PondModel(json: bytes) }

    #expect(error?.problem == "this is not UTF-8 text")
    #expect(error?.offset == offset)
  }

  @Test func columnsCountCharactersAndLinesCountFromOne() {
    expectFault(Array("{\n  \"äöü🚀\": x}".utf8), "line 2, column 11", "there should be a value")
  }

  @Test func aDocumentThatIsTooLongIsRefusedUnread() {
    var limits = JSONLimits()
    limits.bytes = 10

    let error = #expect(throws: JSONError.self) {
      try PondModel(json: Endless(), limits: limits)
    }

    #expect(error?.problem == "the document is longer than 10 bytes")
    #expect(error?.offset == 10)
  }

  @Test func aDocumentThatIsTooDeepIsRefusedWithoutRecursion() {
    let deep = String(repeating: "[", count: 1_000_000)
    var limits = JSONLimits()

    expectFault(Array(deep.utf8), "line 1, column 65", "are nested more than 64 deep")
    limits.depth = .max
    #expect(throws: JSONError.self) { try PondModel(json: deep, limits: limits) }
  }

  @Test func tooManyValuesAreRefused() {
    var limits = JSONLimits()
    limits.values = 5

    let error = #expect(throws: JSONError.self) {
      try PondModel(json: "[1,2,3,4,5]", limits: limits)
    }

    #expect(error?.problem == "there are more than 5 values and keys")
    #expect(error?.column == 10)
  }

  @Test func stringsThatAreTooLongAreRefused() {
    var limits = JSONLimits()
    limits.stringBytes = 3

    let error = #expect(throws: JSONError.self) {
      try PondModel(json: #"["abc", "abcd"]"#, limits: limits)
    }

    #expect(error?.column == 9)
    #expect(error?.problem == "the string that starts here is longer than 3 bytes")
  }

  @Test func limitsThatLeaveNoRoomAreErrors() {
    var limits = JSONLimits()
    limits.bytes = -1

    #expect(throws: JSONError.self) { try PondModel(json: "{}", limits: limits) }
  }

  private func expectFault(_ bytes: [UInt8], _ place: String, _ problem: String) {
    let error = #expect(throws: JSONError.self) { try PondModel(json: bytes) }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("\(place): ") && text.contains(problem), "\(text)")
  }
}

/// An endless sequence of spaces.
private struct Endless: Sequence, IteratorProtocol {
  mutating func next() -> UInt8? { 0x20 }
}

private let brokenDocuments: [(String, String, String)] = [
  ("", "line 1, column 1", "the document ends where a value should be"),
  ("  \n ", "line 2, column 2", "the document ends where a value should be"),
  ("\u{FEFF}{}", "line 1, column 1", "byte order mark"),
  ("{} {}", "line 1, column 4", "there should be nothing more here"),
  ("{}\0", "line 1, column 3", "there should be nothing more here"),
  ("[1,]", "line 1, column 4", "there should be a value here"),
  ("[1 2]", "line 1, column 4", "there should be a comma"),
  ("[}", "line 1, column 2", "there should be a value or ]"),
  ("{]", "line 1, column 2", "there should be a key in quotes or }"),
  ("{\"a\" 1}", "line 1, column 6", "there should be a colon here"),
  ("{\"a\":1,}", "line 1, column 8", "there should be a key in quotes here"),
  ("{a:1}", "line 1, column 2", "there should be a key"),
  ("[", "line 1, column 2", "is it truncated?"),
  ("{\"a\":", "line 1, column 6", "is it truncated?"),
  ("\"abc", "line 1, column 1", "ends in the string"),
  ("\"abc\\", "line 1, column 5", "this escape is not one of JSON's"),
  ("\"\\x\"", "line 1, column 2", "this escape is not one of JSON's"),
  ("\"\\u12G4\"", "line 1, column 2", "four hexadecimal digits"),
  ("\"\\uD800\"", "line 1, column 2", "half a character"),
  ("\"\\uDC00\"", "line 1, column 2", "half a character"),
  ("\"\\uDC00\\uDC00\"", "line 1, column 2", "half a character"),
  ("\"\\uDFFF\\uDC00\"", "line 1, column 2", "half a character"),
  ("\"\\uD800\\uD800\"", "line 1, column 2", "half a character"),
  ("\"\\uD800\\uDBFF\"", "line 1, column 2", "half a character"),
  ("\"\\uD800\\uE000\"", "line 1, column 2", "half a character"),
  ("\"\\uD800\\u0041\"", "line 1, column 2", "half a character"),
  ("\"\\uD800\\n\"", "line 1, column 2", "half a character"),
  ("\"tab\tin\"", "line 1, column 5", "control character"),
  ("nul", "line 1, column 1", "there should be a value here"),
  ("truE", "line 1, column 1", "there should be a value here"),
  ("NaN", "line 1, column 1", "there should be a value here"),
  ("+1", "line 1, column 1", "there should be a value here"),
  ("01", "line 1, column 2", "there should be nothing more here"),
  ("-", "line 1, column 2", "there should be a digit here"),
  ("1.", "line 1, column 3", "there should be a digit here"),
  ("1e", "line 1, column 3", "there should be a digit here"),
  ("'a'", "line 1, column 1", "there should be a value here"),
  ("/* */ {}", "line 1, column 1", "there should be a value here"),
]
