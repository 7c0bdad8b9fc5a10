/// The site's addresses for launches and searches.
enum LaunchAddress {
  /// Returns the address of a list of search results.
  static func search(_ query: String, page: String? = nil) -> String {
    let fields = [("q", query), ("page", page ?? "")].filter { !$0.1.isEmpty }
      .map { "\($0)=\($1.percentEncoded)" }
    return "/search" + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
  }

  /// Returns the address of a launch's page, including the search that found the launch, if any.
  static func launch(_ id: String, foundBy query: String = "") -> String {
    "/launches/\(id.percentEncoded)" + (query.isEmpty ? "" : "?q=\(query.percentEncoded)")
  }

  /// Returns the address of a launch in JSON.
  static func json(_ id: String) -> String { "/launches/\(id.percentEncoded).json" }
}

extension String {
  /// The string, encoded as by JavaScript's `encodeURIComponent`.
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
