import Crypto
import Foundation
import NIOCore

/// A tag that identifies a state of a resource (RFC 9110, 8.8.3). The tag is strong: equal tags
/// mean equal bytes, even after a restart. This also holds across machines if the bytes are not
/// compressed or the machines have the same version of zlib.
struct EntityTag: Sendable, Hashable {
  /// The tag with its quotes.
  let text: String

  /// Creates a tag.
  ///
  /// - Parameters:
  ///   - bytes: The content before compression.
  ///   - encoding: The compression, which is part of the tag because it changes the bytes; `nil`
  ///     for none.
  init(_ bytes: ByteBuffer, encoding: String? = nil) {
    let digest = SHA256.hash(data: bytes.readableBytesView).prefix(12)
    let hash = Data(digest).base64EncodedString()
    text = encoding.map { "\"\(hash)-\($0)\"" } ?? "\"\(hash)\""
  }

  /// Returns whether a client already has this state, according to its `If-None-Match` header
  /// (RFC 9110, 13.1.2). Weak tags count too.
  ///
  /// - Parameter values: The values of all `If-None-Match` fields.
  /// - Returns: Whether one of the tags equals this one, or is `*`.
  func isAmong(_ values: [String]) -> Bool {
    values.contains { value in
      value.trimmingCharacters(in: .whitespaces) == "*" || Self.tags(in: value).contains(text[...])
    }
  }

  /// Returns the tags in a list, with their quotes. Commas within quotes do not separate tags.
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
