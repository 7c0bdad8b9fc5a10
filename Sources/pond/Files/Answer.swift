import PebblesPictures

/// The result of a command, which can be written as text, JSON, annotations, or a document.
struct Answer {
  /// Whether the command found a problem. In that case, the exit status is 1.
  var hasFindings = false

  /// The answer as text for people.
  let printout: Printout

  /// A closure that creates the answer as JSON for programs; called only if JSON is requested.
  let json: () -> JSON

  /// The annotations for GitHub.
  var annotations: [Annotation] = []

  /// A document to write unchanged, instead of the other forms of the answer.
  var document: String?

  /// The path of the file to which the document is written; `nil` or `-` for standard output.
  var path: String?

  init(
    hasFindings: Bool = false, _ printout: Printout, annotations: [Annotation] = [],
    json: @escaping () -> JSON
  ) {
    self.hasFindings = hasFindings
    self.printout = printout
    self.annotations = annotations
    self.json = json
  }

  /// Creates an answer that consists of a document.
  init(_ document: String, path: String? = nil) {
    self.document = document
    self.path = path
    printout = Printout()
    json = { .null }
  }
}

/// A command: its syntax and its action.
struct Command: Sendable {
  let syntax: Syntax
  let answer: @Sendable (Request) throws -> Answer
}

/// An error that makes a command fail. Its description is a sentence that states the reason.
struct Problem: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ sentence: String) {
    description = sentence
  }
}
