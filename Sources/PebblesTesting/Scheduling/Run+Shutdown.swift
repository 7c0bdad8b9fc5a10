import Pebbles

extension Run {
  /// Waits for the end of the run, shuts it down if `hasTeardowns` is `true`, and returns its
  /// report. Cancels the run if the calling task is cancelled.
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
