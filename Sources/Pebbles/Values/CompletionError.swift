/// The error of a callback pebble whose callback failed without an error of its own.
///
/// Later versions may add errors.
public struct CompletionError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable {
    case reportedFailure
    case abandoned
  }

  package let kind: Kind

  /// The error of a completion that was called with `false`.
  public static let reportedFailure = CompletionError(kind: .reportedFailure)

  /// The error of a completion that was dropped without being called.
  public static let abandoned = CompletionError(kind: .abandoned)

  /// The error as a sentence.
  public var description: String {
    switch kind {
    case .reportedFailure: "its callback reported failure without saying why"
    case .abandoned: "its callback was dropped without being called"
    }
  }
}

extension CompletionError {
  /// Lets `catch CompletionError.abandoned` match the error, as with a case of an enum.
  public static func ~= (match: CompletionError, error: any Error) -> Bool {
    error as? CompletionError == match
  }
}
