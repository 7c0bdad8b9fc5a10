/// A forecast of the size of a run's history, based on the payloads that bodies and teardowns are
/// still to receive. If a history becomes too large, the server ends the run without a teardown.
struct HistoryForecast {
  /// The size limit of the history, in bytes.
  let largest: Int

  /// The size of the inputs of ready bodies, in bytes.
  var inputs = 0

  /// The size of the outputs that teardowns would receive, in bytes.
  var teardowns = 0

  init(largest: Int) {
    self.largest = largest
  }

  /// Returns a clause that explains why the history would become too large if the run continued.
  ///
  /// - Parameter size: The current size of the history, in bytes.
  /// - Returns: A clause such as `the history of the run has 40 MB, and …`, which can follow the
  ///   word "as"; `nil` if the run can continue.
  func problem(at size: Int) -> String? {
    let more = inputs + teardowns
    let (sum, isOverflown) = size.addingReportingOverflow(more)
    guard isOverflown || sum > largest else { return nil }
    return "the history of the run has \(size >> 20) MB, and \(more >> 20) MB more are due to "
      + "bodies and teardowns, but the server ends a run at 50 MB: store large values, and pass on "
      + "their places"
  }
}
