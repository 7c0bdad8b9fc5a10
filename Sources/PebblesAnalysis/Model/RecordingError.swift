/// A record says what cannot have happened in a run, or it cannot be found out what happened.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where the pebble that it is about stands in definition order; `nil` if it is about the run.
  public let pebble: Int?

  /// What is wrong, and with which pebble, as a sentence.
  public let description: String
}
