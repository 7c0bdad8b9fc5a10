/// An error in a command line: the reason, and what to do, as a sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  /// The command, if it was known by then.
  var command: String?

  init(_ sentence: String, of command: String? = nil) {
    description = sentence
    self.command = command
  }
}
