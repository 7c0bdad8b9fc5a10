extension String {
  /// The beginning of a text that came from outside, without what could be anything but text.
  var excerpt: String {
    let start = unicodeScalars.prefix(21).filter {
      !$0.properties.isBidiControl && $0.properties.generalCategory != .control
    }
    return String(String.UnicodeScalarView(start.prefix(20))) + (start.count > 20 ? "…" : "")
  }
}
