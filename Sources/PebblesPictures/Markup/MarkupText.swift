extension StringProtocol {
  /// The text as it stands in XML and in HTML, in an element or in a quoted attribute.
  ///
  /// Control characters, which XML cannot hold in any form, become the pictures that Unicode has
  /// for them, and what no character is becomes the replacement character: names are data, so a
  /// picture shows that they are odd instead of being odd itself.
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
  /// Whether what begins with this byte may have to be written in another way.
  fileprivate var mayMatterInMarkup: Bool {
    switch self {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    // Control characters, those behind 0xC2 among them, and what is none behind 0xEF.
    case 0x00...0x1F, 0x7F, 0xC2, 0xEF: true
    default: false
    }
  }
}
