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
    let title = title.inCommand.replacing(":", with: "%3A").replacing(",", with: "%2C")
    return "::\(level.rawValue) title=\(title)::\(message.inCommand)"
  }
}

extension String {
  /// The text, escaped for use in a workflow command, which must be on one line.
  var inCommand: String {
    replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
