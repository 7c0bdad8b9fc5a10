/// A check for cancellation once in many steps: a check costs more than a step of a long loop.
struct CancellationCheck {
  private var steps = 0

  /// Counts a step, and checks for cancellation if it is time to.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; up to some thousand steps later.
  mutating func step() throws {
    steps &+= 1
    if steps % 4_096 == 0 { try Task.checkCancellation() }
  }
}
