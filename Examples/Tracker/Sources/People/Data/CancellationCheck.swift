/// A cancellation check for long loops, made only once in many steps because it costs more than a
/// step.
struct CancellationCheck {
  private var steps = 0

  /// Counts a step, and checks for cancellation at every 4,096th step.
  ///
  /// - Throws: `CancellationError` if a check finds the task cancelled.
  mutating func step() throws {
    steps &+= 1
    if steps % 4_096 == 0 { try Task.checkCancellation() }
  }
}
