import Foundation
import Testing

@testable import launches

@Suite struct JSONSyntaxTests {
  @Test(arguments: [
    "0", "-0.5e+10", "true", "false", "null", #""""#, "[]", "{}", " [ 1 , [ ] , { } ] \n",
    #"{"a": {"b": ["c", 1E3, null]}}"#, #""\"\\\/\b\f\n\r\t\u00e4\ud83d\ude80 ä 🚀""#,
    #""[[[[ not brackets""#, "\u{FEFF}[1]",
  ])
  func wellFormedDocumentsPass(document: String) throws {
    try JSONSyntax.check(Array(document.utf8), depthLimit: 4)
  }

  @Test(arguments: [
    ("", 1, 1), ("[", 1, 2), ("[1,]", 1, 4), ("[1 2]", 1, 4), ("[1}", 1, 3), ("{]", 1, 2),
    (#"{"a" 1}"#, 1, 6), (#"{"a":}"#, 1, 6), (#"{"a":1,}"#, 1, 8), ("{1:1}", 1, 2), ("[] []", 1, 4),
    ("\n\n  nul", 3, 3), ("01", 1, 2), ("-", 1, 2), ("1.", 1, 3), ("1e", 1, 3), (".5", 1, 1),
    ("NaN", 1, 1), ("'a'", 1, 1), (#"["ä", "b"#, 1, 7), ("\"a\u{1}\"", 1, 3), (#""\x""#, 1, 2),
    (#""\u12g4""#, 1, 2), (#""\ud800""#, 1, 2), (#""\udc00\ud800""#, 1, 2), ("// no", 1, 1),
  ])
  func otherDocumentsAreFaultedWhereTheyGoWrong(document: String, line: Int, column: Int) {
    let fault = #expect(throws: JSONSyntax.Fault.self) {
      try JSONSyntax.check(Array(document.utf8), depthLimit: 4)
    }

    #expect(fault?.line == line)
    #expect(fault?.column == column)
  }

  @Test func depthIsLimitedExactly() throws {
    let deep = { (depth: Int) in
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }

    try JSONSyntax.check(deep(64), depthLimit: 64)
    #expect(throws: JSONSyntax.Fault.self) { try JSONSyntax.check(deep(65), depthLimit: 64) }
    #expect(throws: JSONSyntax.Fault.self) { try JSONSyntax.check(deep(1_000_000), depthLimit: 64) }
  }

  @Test func bytesThatAreNotTextAreFaultedWhereTheyStand() {
    let document: [UInt8] = Array("[\"ä\",\n \"".utf8) + [0xC3, 0x28] + Array("\"]".utf8)

    #expect(throws: JSONSyntax.Fault(line: 2, column: 3, problem: "this is not UTF-8 text")) {
      try JSONSyntax.check(document, depthLimit: 64)
    }
  }

  /// The real decoder is the oracle: what passes here, it can take, however the bytes fell.
  @Test func whateverPassesCanBeDecoded() throws {
    var random = SplitMix64(state: 2006)
    let alphabet = Array(#"[]{}:,"\u0d81e-.tnfrlasu "#.utf8)
    var passed = 0
    for _ in 0..<20_000 {
      let document = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      guard (try? JSONSyntax.check(document, depthLimit: 64)) != nil else { continue }
      passed += 1
      #expect(throws: Never.self, "\(String(decoding: document, as: UTF8.self))") {
        _ = try JSONDecoder().decode(AnyDocument.self, from: Data(document))
      }
    }
    #expect(passed > 100)
  }
}

/// A document whose shape does not matter.
private struct AnyDocument: Decodable {
  init(from decoder: any Decoder) throws {}
}

/// The same random numbers every time.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
