/// The reason why a command failed, as a sentence.
struct Problem: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ sentence: String) {
    description = sentence
  }
}
