import Pebbles

extension Report {
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
