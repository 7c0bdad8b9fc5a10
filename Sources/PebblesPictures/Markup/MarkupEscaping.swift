extension StringProtocol {
  /// The string escaped for XML and HTML, for use in an element or a quoted attribute.
  ///
  /// ASCII control characters become their Unicode control pictures, because XML cannot contain
  /// most of them in any form. Other control characters, U+FFFE and U+FFFF become the replacement
  /// character. A picture is therefore valid no matter which names it contains, and unusual
  /// characters remain visible. In `##[`, the bracket is escaped, because `##[` may begin a GitHub
  /// workflow command.
  var inMarkup: String {
    guard utf8.contains(where: \.mayMatterInMarkup) else { return String(self) }
    var markup = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "&": markup.append(contentsOf: "&amp;".unicodeScalars)
      case "<": markup.append(contentsOf: "&lt;".unicodeScalars)
      case ">": markup.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": markup.append(contentsOf: "&quot;".unicodeScalars)
      case "'": markup.append(contentsOf: "&#39;".unicodeScalars)
      case "[" where markup.suffix(2).elementsEqual("##".unicodeScalars):
        markup.append(contentsOf: "&#91;".unicodeScalars)
      default: markup.append(scalar.shownInMarkup)
      }
    }
    return String(markup)
  }
}

extension Unicode.Scalar {
  fileprivate var shownInMarkup: Unicode.Scalar {
    switch value {
    // Symbols for control characters: https://www.unicode.org/charts/PDF/U2400.pdf
    case 0x00...0x1F: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80...0x9F, 0xFFFE, 0xFFFF: "\u{FFFD}"
    default: self
    }
  }
}

extension UInt8 {
  /// Whether a character that begins with this byte may have to be escaped.
  fileprivate var mayMatterInMarkup: Bool {
    switch self {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "["):
      true
    // Control characters, including those that start with 0xC2; noncharacters start with 0xEF.
    case 0x00...0x1F, 0x7F, 0xC2, 0xEF: true
    default: false
    }
  }
}

extension Double {
  /// The number formatted for use in a picture and rounded to tenths, because smaller differences
  /// are not visible.
  var inPicture: String {
    let tenths = Int((self * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    let sign = tenths < 0 ? "-" : ""
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}

extension [UInt8] {
  /// Appends JSON for use in a `<script>` element, with every `<` escaped. Otherwise, a name such
  /// as `</script>` would end the element. The bracket in `##[` is escaped as in `inMarkup`. In
  /// JSON, `<` and `##[` occur only in strings.
  mutating func append(escapedForScript json: [UInt8]) {
    reserveCapacity(count + json.count + json.count / 64)
    for byte in json {
      if byte == UInt8(ascii: "<") {
        self += #"\u003c"#.utf8
      } else if byte == UInt8(ascii: "["), suffix(2).elementsEqual("##".utf8) {
        self += #"\u005b"#.utf8
      } else {
        append(byte)
      }
    }
  }
}
