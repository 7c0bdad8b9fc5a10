/// A reason why schedules could not be explored.
///
/// Later versions may add reasons.
@nonexhaustive public enum ExplorationError: Error, Hashable, CustomStringConvertible {
  /// An error in the arguments. The associated value is the problem, as a sentence.
  case invalid(_ problem: String)

  /// A lack of threads: the system could not start one for the exploration.
  case noThread

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .invalid(let problem): problem
    case .noThread: "schedules are explored on a thread of their own, but the system has none left"
    }
  }
}
