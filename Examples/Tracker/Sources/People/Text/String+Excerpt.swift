extension String {
  /// The first twenty Unicode scalars of a text from outside, without control characters, and `…`
  /// if there are more.
  var excerpt: String {
    let start = unicodeScalars.prefix(21).filter {
      !$0.properties.isBidiControl && $0.properties.generalCategory != .control
    }
    return String(String.UnicodeScalarView(start.prefix(20))) + (start.count > 20 ? "…" : "")
  }
}
