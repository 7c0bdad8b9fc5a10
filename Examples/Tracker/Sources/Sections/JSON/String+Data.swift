extension String {
  /// The string in a form that is safe to quote, although it is untrusted data: on one line, with
  /// control characters escaped, and limited in length.
  var asData: String {
    var text = ""
    var count = 0
    for scalar in unicodeScalars {
      guard count < 200 else { return text + "…" }
      count += 1
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
        text += scalar.escaped(asASCII: true)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
