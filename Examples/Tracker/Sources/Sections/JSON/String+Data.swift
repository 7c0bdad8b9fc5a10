extension String {
  /// The text as something that others made up: on one line, without control characters, and not
  /// without end.
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
