import Crypto
import Foundation
import NIOCore

/// What tells one state of something from another (RFC 9110, 8.8.3). Strong: the same tag is the
/// same bytes, also on another machine and after a restart.
struct EntityTag: Sendable, Hashable {
  /// With its quotes.
  let text: String

  /// - Parameters:
  ///   - bytes: What is sent, before it is compressed.
  ///   - encoding: How it is compressed; that makes other bytes.
  init(_ bytes: ByteBuffer, encoding: String? = nil) {
    let digest = SHA256.hash(data: bytes.readableBytesView).prefix(12)
    let hash = Data(digest).base64EncodedString()
    text = encoding.map { "\"\(hash)-\($0)\"" } ?? "\"\(hash)\""
  }

  /// Whether a client has this already, by its `If-None-Match` (RFC 9110, 13.1.2): for that, a weak
  /// tag is as good as a strong one.
  ///
  /// - Parameter values: Of each field with that name.
  /// - Returns: Whether one of the tags is this one, or stands for all.
  func isAmong(_ values: [String]) -> Bool {
    values.contains { value in
      value.trimmingCharacters(in: .whitespaces) == "*" || Self.tags(in: value).contains(text[...])
    }
  }

  /// The tags of a list, with their quotes; in them, a comma is a letter like any other.
  private static func tags(in value: String) -> [Substring] {
    var tags: [Substring] = []
    var rest = value[...]
    while let start = rest.firstIndex(of: "\""),
      let end = rest[start...].dropFirst().firstIndex(of: "\"")
    {
      let tag = rest[start...end]
      rest = rest[end...].dropFirst()
      let next = rest.first { !$0.isWhitespace }
      if next == nil || next == "," { tags.append(tag) }
    }
    return tags
  }
}
