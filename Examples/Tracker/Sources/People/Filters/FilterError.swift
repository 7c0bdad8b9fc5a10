/// An error in a question, described by a sentence for the visitor.
public struct FilterError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sentence.
  public let description: String
}
