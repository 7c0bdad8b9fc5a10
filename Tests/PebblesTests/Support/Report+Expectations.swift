import Pebbles

extension Report {
  /// Whether every pebble ran and succeeded.
  var isAllSucceeded: Bool {
    records.allSatisfy { $0.outcome.isSucceeded }
  }

  /// The outcome of a pebble by its name, in a word.
  func word(_ name: String) -> String? {
    record(named: name).map { record in
      switch record.outcome {
      case .succeeded: "succeeded"
      case .failed: "failed"
      case .skipped: "skipped"
      }
    }
  }
}
