/// The result of an exploration without failures.
public struct Exploration: Sendable, Hashable, CustomStringConvertible {
  /// The number of schedules that were tried.
  public let schedules: Int

  /// Whether all possible schedules were tried; always `false` for schedules other than
  /// `.exhaustive(limit:)`.
  public let isComplete: Bool

  /// Whether the results depend only on the schedules. This is `false` if another thread made a
  /// task runnable, if a task on another thread fell asleep on the clock, or if a schedule of
  /// `.exhaustive(limit:)` departed from the previous schedule earlier than planned. In these
  /// cases, replaying a schedule may produce a different result.
  public let isDeterministic: Bool

  /// The number of steps in the longest schedule. A step is the work of a task from one suspension
  /// to the next, an advance of the clock, or a wait for work on other threads.
  package let mostSteps: Int

  /// A summary of the exploration: `all 12 schedules of up to 40 steps`.
  public var description: String {
    let all = isComplete ? "all \(schedules)" : "\(schedules)"
    let doubt = isDeterministic ? "" : "; this may not repeat: something ran elsewhere"
    return "\(all) schedules of up to \(mostSteps) steps\(doubt)"
  }
}

/// A reason why schedules could not be explored.
///
/// Later versions may add reasons.
@nonexhaustive public enum ExplorationError: Error, Hashable, CustomStringConvertible {
  /// An error in the arguments. The associated value describes the problem in a sentence.
  case invalid(_ problem: String)

  /// A failure to start a thread for the exploration.
  case noThread

  /// A sentence that describes the error.
  public var description: String {
    switch self {
    case .invalid(let problem): problem
    case .noThread: "schedules are explored on a thread of their own, but the system has none left"
    }
  }
}
