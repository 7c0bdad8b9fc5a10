import PebblesPictures

/// What a command has to say, in every form that may be asked for.
struct Answer {
  /// Whether something was found that should not be.
  var isFound = false

  /// For people.
  let printout: Printout

  /// For programs; made only if it is asked for.
  let json: () -> JSON

  /// For GitHub.
  var annotations: [Annotation] = []

  /// What is written as it is, in the place of all else.
  var document: String?

  /// Where that is written; without it, to standard output.
  var path: String?

  init(
    isFound: Bool = false, _ printout: Printout, annotations: [Annotation] = [],
    json: @escaping () -> JSON
  ) {
    self.isFound = isFound
    self.printout = printout
    self.annotations = annotations
    self.json = json
  }

  /// An answer that is a document.
  init(_ document: String, path: String? = nil) {
    self.document = document
    self.path = path
    printout = Printout()
    json = { .null }
  }
}

/// A command: what it may be asked, and how it answers.
struct Command: Sendable {
  let syntax: Syntax
  let answer: @Sendable (Request) throws -> Answer
}
