import Pebbles

extension Run {
  /// Waits for the end of the run, which is cancelled with the waiting task, and shuts it down.
  func reportAfterShutdown(if hasTeardowns: Bool) async throws -> Report {
    let report = try await withTaskCancellationHandler {
      try await self.report
    } onCancel: {
      cancel()
    }
    if hasTeardowns { try await shutdown() }
    return report
  }
}
