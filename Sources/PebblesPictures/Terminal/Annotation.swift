/// A finding that GitHub shows beside a change.
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
  /// The text, escaped for use in a workflow command. Such a command must be on one line.
  var inCommand: String {
    replacing(["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  /// Whether GitHub would interpret a line that begins with this text as a workflow command. GitHub
  /// ignores white space before a command.
  var beginsLikeCommand: Bool {
    unicodeScalars.drop { $0.properties.isWhitespace }.starts(with: "::".unicodeScalars)
  }

  /// Returns the text with each of the given scalars replaced. Characters cannot be replaced
  /// instead, because a carriage return followed by a line feed is a single character.
  fileprivate func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      text += replacements[scalar] ?? String(scalar)
    }
  }
}
