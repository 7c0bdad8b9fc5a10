/// An error thrown if a record describes something that cannot have happened in a run, or leaves
/// open what happened.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The position, in definition order, of the pebble that the error is about; `nil` if it is about
  /// the run.
  public let pebble: Int?

  /// The problem as a sentence, with the pebble's name if the error is about a pebble.
  public let description: String
}
