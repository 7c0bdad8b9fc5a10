extension String {
  /// The string on one line. Control characters are escaped, because they could end the line or
  /// move the cursor.
  var inLine: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      let isControl = scalar.properties.generalCategory == .control
      text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }
}
