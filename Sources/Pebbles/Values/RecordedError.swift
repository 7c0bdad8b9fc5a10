/// The text of an error, which replaces the error itself in records that are stored or sent
/// elsewhere.
///
/// ```swift
/// let event = try decoder.decode(RunEvent.self, from: data)
/// (event.error as? RecordedError)?.text  // "no route to host"
/// ```
public struct RecordedError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text of the error.
  public let text: String

  /// The maximum number of characters of an error's text that are recorded.
  package static let longestText = 2_000

  /// Creates a recorded error from its text.
  ///
  /// - Parameter text: The text of the error.
  public init(_ text: String) {
    self.text = text
  }

  /// Creates a recorded error from the description of an error, of which at most 2,000 characters
  /// are kept.
  ///
  /// - Parameter error: The error to record; a `RecordedError` stays unchanged.
  public init(recording error: any Error) {
    self = error as? RecordedError ?? RecordedError("\(error)".truncated(to: Self.longestText))
  }

  /// The text of the error.
  public var description: String { text }
}

/// The encoded form is the text.
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
