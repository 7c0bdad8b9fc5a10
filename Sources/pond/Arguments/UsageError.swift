/// An error in a command line: the reason, and what to do, as a sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  /// The name of the command; `nil` if the error was found before the command was known.
  var command: String?

  init(_ sentence: String, of command: String? = nil) {
    description = sentence
    self.command = command
  }
}
