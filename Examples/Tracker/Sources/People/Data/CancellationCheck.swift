/// Looks now and then whether the task is cancelled: a look costs more than a step of a long loop.
struct CancellationCheck {
  private var steps = 0

  /// - Throws: `CancellationError` if the task is cancelled; up to some thousand steps later.
  mutating func step() throws {
    steps &+= 1
    if steps % 4_096 == 0 { try Task.checkCancellation() }
  }
}
