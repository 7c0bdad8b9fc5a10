import Pebbles

extension String {
  /// The text as a JSON string, with its quotes. Invisible characters, and those that would affect
  /// the text around them, are escaped, so that the text is safe to show in a terminal.
  var inJSON: String {
    var json = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case let invisible where invisible.isInvisible:
        for unit in String(invisible).utf16 {
          let digits = String(unit, radix: 16)
          json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}
