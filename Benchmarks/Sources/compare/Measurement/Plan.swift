import Workloads

/// The workloads to measure, and the precision of the measurements.
struct Plan: Sendable {
  let shapes: [Shape]
  let sizes: [Int]
  let interleaving: Interleaving
  /// The time limit for a single run. Runs that are predicted to take longer are omitted.
  let limit: Duration

  init(shapes: [Shape], isQuick: Bool) {
    self.shapes = shapes
    sizes = isQuick ? [1_000, 100_000] : [1_000, 100_000, 1_000_000]
    interleaving = Interleaving(
      rounds: isQuick ? 3 : 7, sampleLength: .milliseconds(isQuick ? 10 : 30))
    limit = .seconds(isQuick ? 1 : 10)
  }
}
