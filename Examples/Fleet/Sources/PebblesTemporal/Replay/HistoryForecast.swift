/// What a run is going to add to its history, as far as that is known: a server ends one that has
/// grown too large without further ado, and nothing is undone then.
struct HistoryForecast {
  /// How large the history may become, in bytes.
  let largest: Int

  /// The inputs of what is ready.
  var inputs = 0

  /// The outputs that teardowns would be handed.
  var teardowns = 0

  init(largest: Int) {
    self.largest = largest
  }

  /// Why the run cannot go on.
  ///
  /// - Parameter size: How large its history is.
  /// - Returns: The reason, as a clause; `nil` if it can.
  func problem(at size: Int) -> String? {
    let more = inputs + teardowns
    let (sum, isOverflown) = size.addingReportingOverflow(more)
    guard isOverflown || sum > largest else { return nil }
    return "the history of the run has \(size >> 20) MB, and \(more >> 20) MB more are due to "
      + "bodies and teardowns, but the server ends a run at 50 MB: store large values, and pass on "
      + "their places"
  }
}
