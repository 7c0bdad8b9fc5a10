import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests that an error thrown by an encoder is passed on to its caller.
@Suite struct RefusedEncodingTests {
  @Test func ofARun() throws {
    let pond = Pond("boot")
    pond.pebble("load") {}
    let run = try pond.simulated()

    for key in ["format", "pond", "pebbles"] {
      #expect(throws: RefusingEncoder.Refusal.self) {
        try run.encode(to: RefusingEncoder { $0 == key })
      }
    }
  }

  @Test(arguments: ["{\"a\": 1}", "[1]", "1", "18446744073709551615", "true", "\"a\"", "null"])
  func ofAnyValue(_ text: String) throws {
    let value = try JSONDocument(text.utf8, limits: JSONLimits()).root

    #expect(throws: RefusingEncoder.Refusal.self) {
      try value.encode(to: RefusingEncoder { _ in true })
    }
  }

  @Test(arguments: ["[null,[],{}]", "{\"a\":null}", "[true,false,\"\",-1,18446744073709551615]"])
  func anEncoderThatTakesAllWritesTheSame(_ text: String) throws {
    let value = try JSONDocument(text.utf8, limits: JSONLimits()).root

    #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == text)
  }
}
