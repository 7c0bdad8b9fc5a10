/// Why a callback pebble failed when the callback gave no error of its own.
///
/// More reasons may come with later versions.
public struct CompletionError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable {
    case reportedFailure
    case abandoned
  }

  package let kind: Kind

  /// The completion was called with `false`.
  public static let reportedFailure = CompletionError(kind: .reportedFailure)

  /// The completion was dropped without being called.
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
  /// Lets `catch CompletionError.abandoned` name the error, as that of an enum.
  public static func ~= (match: CompletionError, error: any Error) -> Bool {
    error as? CompletionError == match
  }
}
