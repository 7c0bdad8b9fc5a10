import Pebbles

/// What a simulated run is assumed to be like: what bodies do, and on what machine.
///
/// Pebbles are told by their positions in definition order; those that a pond does not have are
/// ignored. A body of which nothing is said succeeds and takes no time.
package struct SimulationPlan: Sendable {
  /// What the errors of bodies say that fail.
  package var failures: [Int: String] = [:]

  /// The cases that hold of pebbles, if they end as those say; of others none.
  package var cases: [Int: CaseSet] = [:]

  /// Pebbles that take no part in the run.
  package var disabled: Set<Int> = []

  /// Pebbles that the run leaves out, because it is of others only.
  package var notAskedFor: Set<Int> = []

  /// Pebbles that are not started even when they are ready, as if the run had been cancelled
  /// before.
  package var cancelled: Set<Int> = []

  /// Why those are not started.
  package var cancellation = RecordedCancellation("it was cancelled", isOrderly: true)

  /// For each pebble how long its body takes, in nanoseconds. What is missing at the end counts
  /// as 0.
  package var durations: [UInt64] = []

  /// How many bodies can be at work at a time, one at least; no limit if `nil`.
  package var workers: Int?

  /// Whether every pebble starts as soon as it is ready, whatever limits and workers there are.
  package var ignoresLimits = false

  /// Pebbles that hold the main actor for as long as their bodies take. They take it together with
  /// what else they use, when all of that is free.
  package var mainActor: Set<Int> = []

  /// For each pebble how long it took in an earlier run, in nanoseconds: where not all can start,
  /// the longest remaining path goes first. Without it, remaining paths do not count.
  package var earlierDurations: [UInt64]?

  package init() {}

  /// The cases of a pebble that hold, by how it ends.
  func cases(of pebble: Int) -> CaseSet { cases[pebble] ?? CaseSet() }

  func duration(of pebble: Int) -> UInt64 {
    pebble < durations.count ? durations[pebble] : 0
  }
}

extension SimulationPlan {
  /// The pebbles that a run of so many is of; `nil` if it is of all.
  func subset(of count: Int) -> Set<Int>? {
    notAskedFor.isEmpty ? nil : Set(0..<count).subtracting(notAskedFor)
  }

  /// What is known as a run of a pond begins.
  func knownOutcomes(of model: PondModel) -> KnownOutcomes {
    model.pond.knownOutcomes(
      disabled: disabled, in: subset(of: model.count), cases: cases(of:))
  }
}
