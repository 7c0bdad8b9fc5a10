/// Something that cannot be asked, as a sentence for whom asked it.
public struct FilterError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sentence.
  public let description: String
}
