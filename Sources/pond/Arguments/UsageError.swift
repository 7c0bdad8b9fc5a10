/// A command line cannot be understood: why, and what to do, as a sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  /// The command that it is about, if it is known by then.
  var command: String?

  init(_ sentence: String, of command: String? = nil) {
    description = sentence
    self.command = command
  }
}
