import Foundation
import PebblesDurable
import Testing

@Suite struct JSONOutputsTests {
  private struct Page: Codable, Equatable {
    var url = "https://launches.example/1"
    var author: String?
    var loaded = Date(timeIntervalSince1970: 1_795_651_200)
    var content = Data([0, 255])
    var counts = ["b": 2, "a": 1]
  }

  private let coder = JSONOutputs()

  private func text(_ output: some Encodable) throws -> String {
    String(decoding: try coder.encode(output), as: UTF8.self)
  }

  @Test func whatIsWrittenIsTheSameEveryTimeAndReadable() throws {
    let expected =
      #"{"content":"AP8=","counts":{"a":1,"b":2},"loaded":817344000,"#
      + #""url":"https://launches.example/1"}"#

    #expect(try text(Page()) == expected)
  }

  @Test func whatWasWrittenIsReadBack() throws {
    let page = Page(author: "ada")

    #expect(try coder.decode(Page.self, from: coder.encode(page)) == page)
    #expect(try coder.decode(Int.self, from: coder.encode(7)) == 7)
    #expect(try coder.decode(String.self, from: coder.encode("a/b \u{0}")) == "a/b \u{0}")
    #expect(try coder.decode(Int?.self, from: coder.encode(Int?.none)) == nil)
    #expect(try coder.decode([Bool].self, from: coder.encode([true])) == [true])
  }

  @Test func nothingOfADateIsLost() throws {
    let date = Date(timeIntervalSinceReferenceDate: 817_344_000.123_456_7)

    #expect(try coder.decode(Date.self, from: coder.encode(date)) == date)
  }

  @Test func whatJSONDoesNotHaveIsAnError() {
    #expect(throws: EncodingError.self) { try coder.encode(Double.nan) }
    #expect(throws: DecodingError.self) { try coder.decode(Int.self, from: .json("\"7\"")) }
    #expect(throws: DecodingError.self) { try coder.decode(Int.self, from: []) }
    #expect(throws: DecodingError.self) { try coder.decode(Date.self, from: .json("\"soon\"")) }
  }
}
