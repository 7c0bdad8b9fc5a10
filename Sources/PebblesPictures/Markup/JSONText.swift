import Pebbles

extension String {
  /// The text as a string of JSON, with its quotes. What would not be seen, or would move what
  /// stands around it, is escaped, so that a terminal may show it.
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
