/// Where launches are on the site.
enum LaunchAddress {
  /// The list of those that were looked for.
  static func search(_ query: String, page: String? = nil) -> String {
    let fields = [("q", query), ("page", page ?? "")].filter { !$0.1.isEmpty }
      .map { "\($0)=\($1.percentEncoded)" }
    return "/search" + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
  }

  /// The page of one, which leads back to what it was found by.
  static func launch(_ id: String, foundBy query: String = "") -> String {
    "/launches/\(id.percentEncoded)" + (query.isEmpty ? "" : "?q=\(query.percentEncoded)")
  }

  /// One, for programs.
  static func json(_ id: String) -> String { "/launches/\(id.percentEncoded).json" }
}

extension String {
  /// As JavaScript's `encodeURIComponent` writes it.
  var percentEncoded: String {
    var encoded = ""
    for byte in utf8 {
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      if isPlain || "-_.!~*'()".contains(character) {
        encoded.append(character)
      } else {
        encoded += byte < 16 ? "%0" : "%"
        encoded += String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}
