/// An error in a command line. Its description is a sentence on the mistake and, if possible, the
/// remedy.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  /// The name of the command; `nil` if the error was found before the command was known.
  var command: String?

  init(_ sentence: String, of command: String? = nil) {
    description = sentence
    self.command = command
  }
}
