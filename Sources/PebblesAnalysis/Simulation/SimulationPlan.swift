import Pebbles

/// The assumptions of a simulated run about the behavior of its bodies and about the machine.
///
/// Pebbles are identified by their positions in definition order. All positions in `cancelled` and
/// `holders` must exist in the pond. In all other properties, positions that do not exist are
/// ignored. A body that the plan does not mention succeeds and takes no time.
package struct SimulationPlan: Sendable {
  /// The error messages of the bodies that fail, keyed by the position of the pebble.
  package var failures: [Int: String] = [:]

  /// The cases that can hold, keyed by the position of their pebble; all other cases are false. A
  /// case holds only if its pebble ends with the outcome that the case belongs to.
  package var cases: [Int: CaseSet] = [:]

  /// The pebbles that take no part in the run.
  package var disabled: Set<Int> = []

  /// The pebbles that were not asked for; empty for a run of the whole pond.
  package var notAskedFor: Set<Int> = []

  /// The pebbles whose success is kept from an earlier run, each with the identifier of that run.
  /// As in a real run, they have already succeeded when the run begins, and use no resources.
  var kept: [Int: String] = [:]

  /// The pebbles that are not started even when they are ready, as if the run had been cancelled
  /// before they could start.
  package var cancelled: Set<Int> = []

  /// The pebbles that are awaited in vain, keyed by the waiting pebble. An awaited pebble either
  /// never releases a resource, or is a service that stays down. If the waiting pebble is ready, it
  /// is skipped once nothing else can happen.
  var holders: [Int: Int] = [:]

  /// The cancellation that keeps the `cancelled` pebbles from starting.
  package var cancellation = RecordedCancellation("it was cancelled", isOrderly: true)

  /// The durations of the bodies, in nanoseconds, indexed by pebble. A pebble beyond the end of the
  /// array takes no time.
  package var durations: [UInt64] = []

  /// The maximum number of bodies that can run at the same time; `nil` for no limit. A number below
  /// one counts as one.
  package var workers: Int?

  /// Whether every pebble starts as soon as it is ready, regardless of limits and workers.
  package var ignoresLimits = false

  /// The pebbles that hold the main actor while their bodies run. A pebble acquires the main actor
  /// together with the other resources that it uses, once all of them are free.
  package var mainActor: Set<Int> = []

  /// The durations of the pebbles in an earlier run, in nanoseconds, indexed by pebble. Among ready
  /// pebbles of equal priority, the pebble with the longest remaining path starts first. If the
  /// value is `nil`, remaining paths are not considered.
  package var earlierDurations: [UInt64]?

  package init() {}

  /// Returns the planned cases of a pebble, for all outcomes that the pebble may have.
  func cases(of pebble: Int) -> CaseSet { cases[pebble] ?? CaseSet() }

  func duration(of pebble: Int) -> UInt64 {
    pebble < durations.count ? durations[pebble] : 0
  }
}

extension SimulationPlan {
  /// Returns the pebbles that were asked for in a run of a pond with `count` pebbles; `nil` if all
  /// pebbles were asked for.
  func subset(of count: Int) -> Set<Int>? {
    notAskedFor.isEmpty ? nil : Set(0..<count).subtracting(notAskedFor)
  }

  /// Returns the outcomes that are known when a run of a pond begins.
  ///
  /// A kept pebble is included only if the known outcomes alone make its condition true. A
  /// fabricated record may contain other kept pebbles; they run as if they were not kept.
  func knownOutcomes(of model: PondModel) -> KnownOutcomes {
    var known = model.pond.knownOutcomes(
      disabled: disabled, in: subset(of: model.count), cases: cases(of:))
    guard !kept.isEmpty else { return known }
    var driver = ReadinessDriver(ReadinessState(model.pond.network), knowing: known)
    while let pebble = driver.takeReady() {
      guard kept[pebble] != nil else { continue }
      known.succeeded.append(KnownOutcomes.Success(pebble, cases(of: pebble)))
      driver.start(pebble, at: 0)
      driver.end(pebble, succeeded: true, cases: cases(of: pebble), at: 0)
    }
    return known
  }
}
