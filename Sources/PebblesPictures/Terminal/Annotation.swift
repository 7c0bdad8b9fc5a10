/// A finding that GitHub shows next to a change.
package struct Annotation: Sendable {
  package enum Level: String, Sendable {
    case notice, warning, error
  }

  package let level: Level
  package let title: String
  package let message: String

  package init(level: Level, title: String, message: String) {
    self.level = level
    self.title = title
    self.message = message
  }

  /// The GitHub workflow command that shows the annotation.
  package var command: String {
    let title = title.inCommand.replacing([":": "%3A", ",": "%2C"])
    return "::\(level.rawValue) title=\(title)::\(message.inCommand)"
  }
}

extension String {
  /// The string, escaped for use in a workflow command. Such a command must be on one line.
  var inCommand: String {
    replacing(["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  /// The line, escaped so that GitHub does not interpret it as a workflow command. GitHub
  /// recognizes `::` after any leading white space, and `##[` anywhere in the line.
  package var withoutCommands: String {
    let line = unicodeScalars.replacing(
      "##[".unicodeScalars, with: "#\\u{23}[".unicodeScalars)
    let text = line.drop { $0.properties.isWhitespace }
    guard text.starts(with: "::".unicodeScalars) else { return String(line) }
    return String(line[..<text.startIndex]) + "\\u{3A}" + String(text.dropFirst())
  }

  /// Returns the string with each of the given scalars replaced. Replacing characters would not
  /// work, because a carriage return followed by a line feed is a single character.
  fileprivate func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      text += replacements[scalar] ?? String(scalar)
    }
  }
}
