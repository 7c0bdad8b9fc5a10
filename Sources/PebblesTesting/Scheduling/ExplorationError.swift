/// A reason why schedules could not be explored.
///
/// Later versions may add more reasons.
public struct ExplorationError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    case invalid(String)
    case noThread
  }

  package let kind: Kind

  /// Returns an error for invalid arguments, described by a sentence.
  public static func invalid(_ problem: String) -> ExplorationError {
    ExplorationError(kind: .invalid(problem))
  }

  /// A lack of threads: the system could not start one for the exploration.
  public static let noThread = ExplorationError(kind: .noThread)

  /// The error as a sentence.
  public var description: String {
    switch kind {
    case .invalid(let problem): problem
    case .noThread: "schedules are explored on a thread of their own, but the system has none left"
    }
  }
}
