/// The query of a URL, in the encoding that forms and scripts use.
///
/// Hummingbird's own parser leaves a plus unchanged, although it represents a space in forms, and
/// fails on a percent sign without digits.
struct FormQuery: Sendable {
  private let fields: [Substring]

  init(_ query: String?) {
    fields = query?.split(separator: "&") ?? []
  }

  /// Returns the first value with the given name; `nil` if no value has the name. Any bytes are
  /// accepted.
  subscript(name: String) -> String? {
    for field in fields {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if Self.text(parts[0]) == name { return parts.count == 2 ? Self.text(parts[1]) : "" }
    }
    return nil
  }

  /// Decodes part of a URL. Any bytes are accepted.
  ///
  /// - Parameters:
  ///   - part: The encoded part.
  ///   - plusIsBlank: Whether a plus represents a space, as in a query but not in a path.
  /// - Returns: The decoded string.
  static func text(_ part: Substring, plusIsBlank: Bool = true) -> String {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+") where plusIsBlank:
        bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard rest.count >= 2, let decoded = UInt8(hex: rest.prefix(2)) else {
          bytes.append(byte)
          continue
        }
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      default:
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate init?(hex digits: ArraySlice<UInt8>) {
    let text = String(decoding: digits, as: UTF8.self)
    // The standard library also accepts a sign.
    guard text.allSatisfy(\.isHexDigit), let value = UInt8(text, radix: 16) else { return nil }
    self = value
  }
}
