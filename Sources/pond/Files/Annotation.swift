/// Something that was found, as GitHub shows it beside a change.
struct Annotation: Sendable {
  enum Level: String, Sendable {
    case notice, warning, error
  }

  let level: Level
  let title: String
  let message: String

  /// The workflow command for it.
  var command: String {
    "::\(level.rawValue) title=\(title.escaped(":,"))::\(message.escaped(""))"
  }
}

extension String {
  /// With what would end the command, or a part of it, by number.
  fileprivate func escaped(_ separators: String) -> String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "%": text += "%25"
      case "\r": text += "%0D"
      case "\n": text += "%0A"
      case ":" where separators.unicodeScalars.contains(":"): text += "%3A"
      case "," where separators.unicodeScalars.contains(","): text += "%2C"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
