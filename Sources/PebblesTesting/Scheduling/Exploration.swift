/// What came of exploring schedules of which none failed.
public struct Exploration: Sendable, Hashable, CustomStringConvertible {
  /// How many schedules there were.
  public let schedules: Int

  /// Whether these were all there are. Only `.exhaustive(limit:)` can know.
  public let isComplete: Bool

  /// Whether everything that was seen to happen was up to the schedules. It was not if a task came
  /// back that had gone on elsewhere, if one fell asleep on the clock elsewhere, or if
  /// `.exhaustive(limit:)` found a schedule not to begin like the one it was to continue: such
  /// schedules may not repeat.
  public let isDeterministic: Bool

  /// The number of steps of the longest schedule. A step is what a task does from one suspension
  /// to the next, an advance of the clock, or a wait for what runs elsewhere.
  public let mostSteps: Int

  /// The exploration as a sentence.
  public var description: String {
    let all = isComplete ? "all \(schedules)" : "\(schedules)"
    let doubt = isDeterministic ? "" : "; this may not repeat: something ran elsewhere"
    return "\(all) schedules of up to \(mostSteps) steps\(doubt)"
  }
}
