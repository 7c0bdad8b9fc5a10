import Foundation
import Testing

@testable import PebblesAnalysis

/// Tests that a decoder applies the same limits to its contents as the parser applies to a text.
@Suite struct DecoderLimitTests {
  private static let text = #"[1, ["abcd"], 3]"#

  @Test(
    arguments: [
      (\.bytes, 16), (\.depth, 2), (\.values, 5), (\.stringBytes, 4),
    ] as [(WritableKeyPath<JSONLimits, Int> & Sendable, Int)])
  func whatIsJustWithinALimitIsTakenAndOneMoreIsNot(
    _ limit: WritableKeyPath<JSONLimits, Int> & Sendable, _ most: Int
  ) throws {
    var limits = JSONLimits()

    limits[keyPath: limit] = most
    #expect(try decode(within: limits) == Self.text)
    #expect(throws: Never.self) { try JSONDocument(Self.text.utf8, limits: limits) }
    limits[keyPath: limit] = most - 1
    #expect(throws: DecodingError.self) { try decode(within: limits) }
    #expect(throws: JSONError.self) { try JSONDocument(Self.text.utf8, limits: limits) }
  }

  /// Decodes the text with a decoder that writes down what it reads, and returns what it has
  /// written.
  private func decode(within limits: JSONLimits) throws -> String {
    try JSONDecoder().decode(
      Written.self, from: Data(Self.text.utf8), configuration: limits
    ).text
  }

  private struct Written: DecodableWithConfiguration {
    let text: String

    init(from decoder: any Decoder, configuration limits: JSONLimits) throws {
      text = try JSONDocument.decoded(from: decoder, within: limits) { root throws(JSONError) in
        String(decoding: root.document.bytes, as: UTF8.self)
      }
    }
  }
}
