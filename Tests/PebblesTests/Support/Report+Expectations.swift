import Pebbles

extension Report {
  /// Returns the outcome of the pebble with the given name, as a word.
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
