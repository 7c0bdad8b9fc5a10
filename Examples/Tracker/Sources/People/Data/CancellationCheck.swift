/// A check for cancellation that a long loop makes only once in many steps, because the check costs
/// more than a step.
struct CancellationCheck {
  private var steps = 0

  /// Counts a step, and checks for cancellation at every 4,096th step.
  ///
  /// - Throws: `CancellationError` if the task is cancelled at the time of a check.
  mutating func step() throws {
    steps &+= 1
    if steps % 4_096 == 0 { try Task.checkCancellation() }
  }
}
