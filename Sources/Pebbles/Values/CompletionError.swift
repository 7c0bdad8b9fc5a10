/// The error of a callback pebble whose callback failed without an error of its own.
///
/// Later versions may add errors.
@nonexhaustive public enum CompletionError: Error, CustomStringConvertible {
  /// The error of a completion that was called with `false`.
  case reportedFailure

  /// The error of a completion that was dropped without being called.
  case abandoned

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .reportedFailure: "its callback reported failure without saying why"
    case .abandoned: "its callback was dropped without being called"
    }
  }
}
