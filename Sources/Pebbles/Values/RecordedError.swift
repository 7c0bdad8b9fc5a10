/// The text of an error, used instead of the error itself in records that are stored or sent
/// elsewhere.
///
/// ```swift
/// let event = try decoder.decode(RunEvent.self, from: data)
/// (event.error as? RecordedError)?.text  // "no route to host"
/// ```
public struct RecordedError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text of the error.
  public let text: String

  /// The maximum length of a recorded error text, in characters.
  package static let longestText = 2_000

  /// Creates a recorded error with the given text.
  ///
  /// - Parameter text: The text of the error.
  public init(_ text: String) {
    self.text = text
  }

  /// Creates a recorded error from an error's description, truncated to at most 2,000 characters.
  ///
  /// - Parameter error: The error to record; a `RecordedError` is kept unchanged.
  public init(recording error: any Error) {
    self = error as? RecordedError ?? RecordedError("\(error)".truncated(to: Self.longestText))
  }

  /// The text of the error.
  public var description: String { text }
}

/// The encoded form of a recorded error, which consists only of the error's text.
extension RecordedError: Codable {
  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Creates a recorded error by decoding its text.
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }
}
