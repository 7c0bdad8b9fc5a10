import Synchronization

/// The progress of a long analysis, for display while the analysis runs.
///
/// ```swift
/// let progress = AnalysisProgress()
/// AnalysisProgress.$current.withValue(progress) { model.scenarios() }
/// ```
package final class AnalysisProgress: Sendable {
  /// The object to which analyses in this task report their progress; `nil` if the progress is not
  /// recorded.
  @TaskLocal package static var current: AnalysisProgress?

  /// The current stage of an analysis, and the progress within it.
  package struct State: Sendable, Equatable {
    /// The name of the stage, worded to follow the number of finished items: `pebbles followed`.
    package var stage = ""

    /// The number of finished items of this stage.
    package var done = 0

    /// The total number of items in this stage.
    package var total = 0

    /// The number of steps taken since the analysis began. The total number of steps is not known
    /// in advance.
    package var steps = 0
  }

  private let progress = Mutex(State())

  package init() {}

  /// The current stage and its progress.
  package var state: State { progress.withLock { $0 } }

  /// Begins a stage of `total` items.
  package static func begin(_ stage: String, of total: Int) {
    current?.progress.withLock { ($0.stage, $0.done, $0.total) = (stage, 0, total) }
  }

  /// Records that `done` items of the stage are finished.
  package static func reach(_ done: Int) {
    current?.progress.withLock { $0.done = done }
  }

  /// Adds `steps` to the number of steps since the analysis began.
  package static func add(steps: Int) {
    current?.progress.withLock { $0.steps += steps }
  }
}
