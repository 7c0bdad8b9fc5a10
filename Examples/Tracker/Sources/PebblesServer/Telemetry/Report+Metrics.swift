import Metrics
import Pebbles

extension Report {
  /// Records the duration of the run, and the durations and outcomes of its pebbles, as metrics.
  ///
  /// | metric | kind | dimensions |
  /// |---|---|---|
  /// | `pond.makespan` | timer | `pond` |
  /// | `pond.pebble.duration` | timer, for pebbles that ran | `pond`, `pebble` |
  /// | `pond.pebble.attempts` | counter, for pebbles that ran | `pond`, `pebble` |
  /// | `pond.pebble.outcomes` | counter | `pond`, `pebble`, `outcome` |
  ///
  /// A pebble that was kept from an earlier run is left out, because it belongs to that run's
  /// report.
  ///
  /// - Parameter factory: The metrics factory; the global one by default.
  /// - Complexity: O(pebbles + attempts).
  public func record(in factory: any MetricsFactory = MetricsSystem.factory) {
    Timer(label: "pond.makespan", dimensions: [("pond", pondName)], factory: factory)
      .record(duration: makespan)
    for record in records where record.keptFrom == nil {
      let dimensions = [("pond", pondName), ("pebble", record.name)]
      if let duration = record.duration {
        Timer(label: "pond.pebble.duration", dimensions: dimensions, factory: factory)
          .record(duration: duration)
        Counter(label: "pond.pebble.attempts", dimensions: dimensions, factory: factory)
          .increment(by: record.attempts.count)
      }
      let outcome = ("outcome", record.outcome.word)
      Counter(
        label: "pond.pebble.outcomes", dimensions: dimensions + [outcome], factory: factory
      ).increment()
    }
  }
}

extension Outcome {
  fileprivate var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }
}
