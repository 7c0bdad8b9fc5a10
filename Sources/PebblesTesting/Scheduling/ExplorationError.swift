/// A reason why schedules could not be explored.
///
/// Later versions may add reasons.
@nonexhaustive public enum ExplorationError: Error, Hashable, CustomStringConvertible {
  /// The error for invalid arguments, described by a sentence.
  case invalid(_ problem: String)

  /// The error of a system that has no thread left for the exploration.
  case noThread

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .invalid(let problem): problem
    case .noThread: "schedules are explored on a thread of their own, but the system has none left"
    }
  }
}
