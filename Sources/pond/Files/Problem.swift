/// A command cannot be carried out: why, as a sentence.
struct Problem: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ sentence: String) {
    description = sentence
  }
}
