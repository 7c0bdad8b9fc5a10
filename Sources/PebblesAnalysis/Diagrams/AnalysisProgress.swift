import Synchronization

/// The progress of an analysis that may take long, for display while it goes on.
///
/// ```swift
/// let progress = AnalysisProgress()
/// AnalysisProgress.$current.withValue(progress) { model.scenarios() }
/// ```
package final class AnalysisProgress: Sendable {
  /// The progress that the analyses in this task report to. Without one, nothing is recorded.
  @TaskLocal package static var current: AnalysisProgress?

  /// The point that an analysis has reached.
  package struct State: Sendable, Equatable {
    /// The name of the current stage, as a phrase for its finished items: `pebbles followed`.
    package var stage = ""

    /// The number of finished items of this stage.
    package var done = 0

    /// The number of items of this stage.
    package var total = 0

    /// The amount of work since the analysis began. Its final size is unknown, but it only grows.
    package var steps = 0
  }

  private let progress = Mutex(State())

  package init() {}

  /// The point that the analysis has reached.
  package var state: State { progress.withLock { $0 } }

  /// Begins a stage with `total` items.
  package static func begin(_ stage: String, of total: Int) {
    current?.progress.withLock { ($0.stage, $0.done, $0.total) = (stage, 0, total) }
  }

  /// Records that `done` items of the stage are finished.
  package static func reach(_ done: Int) {
    current?.progress.withLock { $0.done = done }
  }

  /// Adds to the amount of work.
  package static func add(steps: Int) {
    current?.progress.withLock { $0.steps += steps }
  }
}
