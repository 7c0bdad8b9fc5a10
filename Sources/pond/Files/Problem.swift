/// An error that makes a command fail. Its description is a sentence on the reason.
struct Problem: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ sentence: String) {
    description = sentence
  }
}
