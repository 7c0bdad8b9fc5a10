import Testing

@testable import PebblesAnalysis

/// Tests of the JSON syntax of strings and numbers.
@Suite struct JSONTextTests {
  @Test(arguments: [
    (#"\ud83d\ude80"#, "🚀"), (#"a\uD83D\uDE80b"#, "a🚀b"), (#"\uD800\uDC00"#, "\u{10000}"),
    (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\u00e4\u0000\uffff"#, "ä\0\u{FFFF}"),
    (#"\ud7ff\ue000"#, "\u{D7FF}\u{E000}"), (#"\b\f\n\r\t\/\\\""#, "\u{8}\u{C}\n\r\t/\\\""),
  ])
  func escapesAreTheCharactersThatTheySay(_ escaped: String, _ text: String) throws {
    #expect(try read("\"\(escaped)\"").string() == text)
  }

  @Test(arguments: ["", "\\", "\\\\", "\"", " ", "a b", "\u{1F}", "\u{1F} ", "\u{7F}", "ä\\🚀"])
  func everyTextComesBackAsItWas(_ text: String) throws {
    var writer = JSONWriter(notesPlaces: true)
    writer.list { writer in
      writer.value(text)
      writer.value(1)
    }

    let documents = [
      try JSONDocument(writer.bytes, limits: JSONLimits()), JSONDocument(writer, limits: .none),
    ]

    for document in documents {
      let values = Array(try document.root.elements())
      #expect(values.count == 2)
      #expect(try values[0].string() == text)
    }
  }

  @Test(
    arguments: [
      ("plain, ✓ and 🪨", "plain, ✓ and 🪨"), ("\"\\", #"\"\\"#), ("~\u{7F}", #"~\u007f"#),
      ("\u{1B}[31m\u{9B}\u{202E}\u{2028}", #"\u001b[31m\u009b\u202e\u2028"#),
      ("\\\u{E0001}\n", #"\\\udb40\udc01\n"#),
      ("a ##[error]", #"a ##\u005berror]"#), ("###[\u{301} #[", "###\\u005b\u{301} #["),
    ])
  func forATerminalInvisibleCharactersAreEscaped(_ text: String, _ json: String) throws {
    #expect(text.visibleJSON == "\"\(json)\"")
    #expect(try read(text.visibleJSON).string() == text)
  }

  @Test func valuesWithoutQuotesAreWrittenAsTheyAre() throws {
    var writer = JSONWriter(notesPlaces: true)
    writer.list { writer in
      writer.null()
      writer.value(number: "12.345")
      writer.value(UInt128.max)
      writer.value(true)
      writer.value(false)
    }

    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == "[null, 12.345, 340282366920938463463374607431768211455, true, false]")
    #expect(
      try JSONDocument(writer, limits: .none).root.elements().map(\.kind) == [
        .null, .number, .number, .true, .false,
      ])
  }

  @Test(arguments: ["0", "-0", "10", "-1.50", "1e5", "1E5", "1e+5", "1E-5", "-1.0e-10", "0e0"])
  func numbersAreWrittenInAllTheseWays(_ number: String) throws {
    #expect(try read("[\(number), 1]").elements().map(\.kind) == [.number, .number])
  }

  @Test(arguments: ["--1", "1e+-5", "1e-+5", "1e--5", "1e++5", "1e+", "1.e5", "1.-5", "00", "-"])
  func thisIsNoNumber(_ number: String) {
    #expect(throws: JSONError.self) { try read("[\(number), 1]") }
  }

  @Test func theLimitsAreThoseOfTheArticle() {
    let limits = JSONLimits()

    #expect(limits.bytes == 64 * 1024 * 1024)
    #expect(limits.depth == 64)
    #expect(limits.values == 8_000_000)
    #expect(limits.stringBytes == 1024 * 1024)
    #expect(limits.pebbles == 1_000_000)
  }

  private func read(_ text: String) throws -> JSONValue {
    try JSONDocument(text.utf8, limits: JSONLimits()).root
  }
}
