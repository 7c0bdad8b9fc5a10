extension String {
  /// The beginning of an untrusted string, at most 20 Unicode scalars long and without control
  /// characters. If the string is longer, and none of its first 21 scalars is a control character,
  /// `…` is appended.
  var excerpt: String {
    let start = unicodeScalars.prefix(21).filter {
      !$0.properties.isBidiControl && $0.properties.generalCategory != .control
    }
    return String(String.UnicodeScalarView(start.prefix(20))) + (start.count > 20 ? "…" : "")
  }
}
