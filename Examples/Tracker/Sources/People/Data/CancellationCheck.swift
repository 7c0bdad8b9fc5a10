/// A check for cancellation that is made only once in many steps, because it costs more than a step
/// of a long loop.
struct CancellationCheck {
  private var steps = 0

  /// Counts a step, and checks for cancellation at every 4,096th step.
  ///
  /// - Throws: `CancellationError` if a check finds that the task is cancelled.
  mutating func step() throws {
    steps &+= 1
    if steps % 4_096 == 0 { try Task.checkCancellation() }
  }
}
