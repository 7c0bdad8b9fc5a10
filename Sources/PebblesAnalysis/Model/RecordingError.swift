/// An error thrown if a record describes something that cannot have happened in a run, or leaves
/// open what happened.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The position, in definition order, of the pebble that the error is about; `nil` if it is about
  /// the run.
  public let pebble: Int?

  /// The problem, with the name of the pebble, as a sentence.
  public let description: String
}
