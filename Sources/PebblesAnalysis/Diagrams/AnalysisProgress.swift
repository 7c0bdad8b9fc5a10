import Synchronization

/// How far an analysis is that may take long, for those who show that it goes on.
///
/// ```swift
/// let progress = AnalysisProgress()
/// AnalysisProgress.$current.withValue(progress) { model.scenarios() }
/// ```
package final class AnalysisProgress: Sendable {
  /// That of the analyses in this task; without one, nothing is noted.
  @TaskLocal package static var current: AnalysisProgress?

  /// What an analysis is at.
  package struct State: Sendable, Equatable {
    /// What it goes through, as it is called once it is behind: `pebbles followed`.
    package var stage = ""

    /// How many of these are behind it.
    package var done = 0

    /// How many there are.
    package var total = 0

    /// How much work it has done since its beginning: of no fixed size, but it grows.
    package var steps = 0
  }

  private let progress = Mutex(State())

  package init() {}

  /// What the analysis is at.
  package var state: State { progress.withLock { $0 } }

  /// Notes that the analysis goes through so many things now.
  package static func begin(_ stage: String, of total: Int) {
    current?.progress.withLock { ($0.stage, $0.done, $0.total) = (stage, 0, total) }
  }

  /// Notes that so many of them are behind it.
  package static func reach(_ done: Int) {
    current?.progress.withLock { $0.done = done }
  }

  /// Notes some work.
  package static func add(steps: Int) {
    current?.progress.withLock { $0.steps += steps }
  }
}
