extension String {
  /// An excerpt of a text from outside: at most its first twenty Unicode scalars, without control
  /// characters. It ends in `…` if a text without control characters is longer.
  var excerpt: String {
    let start = unicodeScalars.prefix(21).filter {
      !$0.properties.isBidiControl && $0.properties.generalCategory != .control
    }
    return String(String.UnicodeScalarView(start.prefix(20))) + (start.count > 20 ? "…" : "")
  }
}
