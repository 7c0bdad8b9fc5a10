/// An error as what it said: what is left of it in a record that was kept or sent elsewhere.
///
/// ```swift
/// let event = try decoder.decode(RunEvent.self, from: data)
/// (event.error as? RecordedError)?.text  // "no route to host"
/// ```
public struct RecordedError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the error said.
  public let text: String

  /// How much of what an error says is recorded, in characters.
  package static let longestText = 2_000

  /// Makes one from its text.
  ///
  /// - Parameter text: What the error said.
  public init(_ text: String) {
    self.text = text
  }

  /// Records an error: what it says of itself, at most 2,000 characters of it.
  ///
  /// - Parameter error: The error; one that is recorded already stays as it is.
  public init(recording error: any Error) {
    self = error as? RecordedError ?? RecordedError("\(error)".truncated(to: Self.longestText))
  }

  /// What the error said.
  public var description: String { text }
}

/// Encoded as its text.
extension RecordedError: Codable {
  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Decodes the text.
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }
}
