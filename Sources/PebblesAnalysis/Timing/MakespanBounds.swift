import Pebbles

/// Bounds on the shortest possible makespan on a given number of cores, if every body takes as long
/// as it did in a recorded run.
///
/// Finding the best order for the bodies is NP-hard, so there are two bounds: the makespan of a
/// good order, and a makespan that no order can beat. The makespan of the best order lies between
/// the two bounds, which are often equal.
///
/// > Note: Every body is assumed to keep a core busy from start to end. A body that mostly waits,
/// > for example for the network, leaves the core to others, so a real run on few cores may be
/// > faster.
public struct MakespanBounds: Sendable, Hashable {
  /// The maximum number of bodies that run at the same time; `nil` for no limit.
  public let workers: Int?

  /// The makespan of list scheduling by the critical path rule. Whenever a worker is free, the
  /// pebble with the highest priority starts; among pebbles of equal priority, the one with the
  /// longest remaining path. Without limits, priorities or ORs, this makespan is at most 2 − 1/*m*
  /// times that of the best order on *m* workers (Graham, *Bounds on multiprocessing timing
  /// anomalies*, 1969).
  public let listSchedule: Duration

  /// A makespan that no order can beat. It is the longest of these times:
  ///
  /// - the makespan without any limits, where pebbles wait only for each other;
  /// - the total work divided by the number of workers, or by the pond's own limit if that is
  ///   smaller;
  /// - for the main actor, each limited resource and each cluster with a limit: the total time for
  ///   which units are needed, divided by the number of units.
  public let lowerBound: Duration
}

extension RecordedRun {
  /// Returns bounds on the makespan for given numbers of cores: by default one, two, four and any
  /// number.
  ///
  /// - Parameters:
  ///   - workers: The numbers of cores. A number below one counts as one; `nil` stands for any
  ///     number.
  ///   - mainActor: The pebbles whose bodies run on the main actor. Each body counts as holding the
  ///     main actor from start to end.
  /// - Returns: A pair of bounds for each number of cores, in the order of `workers`.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded, and
  ///   `UnknownPebbleError` if a specified pebble was not in the run.
  /// - Complexity: For each number of workers, O(pebbles + atoms + *n* log *n*) for *n* pebbles
  ///   that ran, if nothing stalled.
  public func makespanBounds(
    workers: [Int?] = [1, 2, 4, nil], mainActor: [any PebbleIdentifying] = []
  ) throws -> [MakespanBounds] {
    try makespanBounds(workers, mainActor, positions)
  }

  fileprivate func makespanBounds(
    _ workers: [Int?], _ mainActor: [any PebbleIdentifying], _ positions: PebblePositions
  ) throws -> [MakespanBounds] {
    var positions = positions
    let mainActor = try positions.positions(of: mainActor)
    var plan = SimulationPlan(replaying: try Replay(self), mainActor: mainActor)
    plan.earlierDurations = plan.durations
    var unlimited = plan
    unlimited.ignoresLimits = true
    let shortest = Simulator(model, unlimited).makespan().nanoseconds
    let load = model.limits.load(of: plan)
    return workers.map { count in
      let count = count.map { max($0, 1) }
      plan.workers = count
      let most = [count, model.limits.maxConcurrent].compactMap { $0 }.min()
      let share = most.map { load.work.dividedRoundingUp(by: $0) } ?? 0
      return MakespanBounds(
        workers: count, listSchedule: Simulator(model, plan).makespan(),
        lowerBound: max(shortest, load.resources, share).asNanoseconds)
    }
  }
}

extension Report {
  /// Returns bounds on the makespan for given numbers of cores: by default one, two, four and any
  /// number.
  ///
  /// - Parameters:
  ///   - workers: The numbers of cores. A number below one counts as one; `nil` stands for any
  ///     number.
  ///   - mainActor: The pebbles whose bodies run on the main actor. Each body counts as holding the
  ///     main actor from start to end.
  /// - Returns: A pair of bounds for each number of cores, in the order of `workers`.
  /// - Throws: `UnknownPebbleError` if a specified pebble is not in the pond, and
  ///   ``RecordingError`` if the recording contradicts itself.
  /// - Complexity: The complexity of ``recorded(from:)``. For each number of workers, add
  ///   O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public func makespanBounds(
    workers: [Int?] = [1, 2, 4, nil], mainActor: [any PebbleIdentifying] = []
  ) throws -> [MakespanBounds] {
    try recorded().makespanBounds(workers, mainActor, PebblePositions(storage.pond.graph))
  }
}

extension ResourceTable {
  /// Returns the total duration of all bodies, and the longest time for which any resource is
  /// needed. The time for a resource is computed as if its whole capacity were always in use.
  fileprivate func load(of plan: SimulationPlan) -> (work: UInt64, resources: UInt64) {
    var work: UInt64 = 0
    var main: UInt64 = 0
    var units = Array(repeating: UInt64(0), count: capacities.count)
    var places = Array(repeating: UInt64(0), count: groups.count)
    for (pebble, duration) in plan.durations.enumerated() {
      work = work.addingSaturated(duration)
      if plan.mainActor.contains(pebble) { main = main.addingSaturated(duration) }
      if !groups.isEmpty {
        for group in groups(of: UInt32(pebble)) {
          places[group] = places[group].addingSaturated(duration)
        }
      }
      guard !capacities.isEmpty else { continue }
      for use in uses(of: UInt32(pebble)) {
        let (product, isOverflow) = duration.multipliedReportingOverflow(by: UInt64(use.units))
        units[use.resource] = isOverflow ? .max : units[use.resource].addingSaturated(product)
      }
    }
    let shares =
      zip(units, capacities).map { $0.dividedRoundingUp(by: $1) }
      + zip(places, groups).map { $0.dividedRoundingUp(by: $1.maxConcurrent) }
    return (work, max(main, shares.max() ?? 0))
  }
}

extension UInt64 {
  fileprivate func dividedRoundingUp(by count: Int) -> UInt64 {
    let divisor = UInt64(Swift.max(count, 1))
    return self / divisor + (self % divisor == 0 ? 0 : 1)
  }
}
