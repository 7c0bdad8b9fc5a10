import Pebbles

/// A table of the waits for limits and for the main actor in a recorded run. The table contains
/// only each pebble's last such wait. It does not include waits for other pebbles to settle.
struct WaitTable {
  /// The pebbles that released resources to ready pebbles, indexed by the waiting pebble; -1 for a
  /// pebble that did not have to wait for a resource.
  private(set) var givers: [Int]

  /// The pebbles that waited for the main actor while they were ready.
  private(set) var mainActorWaiters: Set<Int> = []

  /// The previous holders of the main actor, indexed by pebble. The previous holder is the last
  /// main-actor pebble to settle while the pebble was running, among those that started no later
  /// than the pebble. The element is -1 if there is no such pebble among the `mostHolders`
  /// main-actor pebbles that settled just before this pebble, or if this pebble does not run on the
  /// main actor.
  private(set) var holders: [Int]

  /// The maximum number of earlier pebbles to examine when searching for the holder of the main
  /// actor.
  private static let mostHolders = 64

  /// Creates the table of a replayed run.
  ///
  /// - Parameters:
  ///   - replay: The run.
  ///   - times: The times of the run.
  ///   - mainActor: The pebbles that hold the main actor while they run.
  /// - Complexity: O(pebbles + *u* log *u*) for *u* uses of limits and of the main actor.
  init(_ replay: Replay, _ times: RunTimes, mainActor: Set<Int>) {
    givers = Array(repeating: -1, count: times.finished.count)
    holders = givers
    let limits = replay.run.model.limits
    guard !limits.isUnlimited || !mainActor.isEmpty else { return }
    // The pebbles are in the order of settling, which leaves little to sort.
    let ran = times.settled.filter { times.hasRun($0) }
    if let most = limits.maxConcurrent {
      find(ran.map { ($0, 1) }, capacity: most, times)
    }
    if !limits.groups.isEmpty { findGiversInGroups(of: limits, among: ran, times) }
    var uses = Array(repeating: [(pebble: Int, units: Int)](), count: limits.capacities.count)
    if !limits.capacities.isEmpty {
      for pebble in ran {
        for use in limits.uses(of: UInt32(pebble)) {
          uses[use.resource].append((pebble, use.units))
        }
      }
    }
    for (resource, uses) in uses.enumerated() {
      find(uses, capacity: limits.capacities[resource], times)
    }
    let onMain = ran.filter(mainActor.contains)
    for pebble in find(onMain.map { ($0, 1) }, capacity: 1, times) {
      mainActorWaiters.insert(pebble)
    }
    findHolders(among: onMain, times)
  }

  /// Finds the pebbles that released a place in a cluster to a waiting pebble. Each place counts as
  /// one unit.
  private mutating func findGiversInGroups(
    of limits: ResourceTable, among ran: [Int], _ times: RunTimes
  ) {
    var members = Array(repeating: [(pebble: Int, units: Int)](), count: limits.groups.count)
    for pebble in ran {
      for group in limits.groups(of: UInt32(pebble)) { members[group].append((pebble, 1)) }
    }
    for (group, uses) in zip(limits.groups, members) {
      find(uses, capacity: group.maxConcurrent, times)
    }
  }

  /// Records which pebbles released units of a resource to waiting pebbles. If a pebble waited for
  /// several resources, only the giver that settled last is kept.
  ///
  /// - Returns: The pebbles for which a giver was recorded.
  @discardableResult
  private mutating func find(
    _ uses: [(pebble: Int, units: Int)], capacity: Int, _ times: RunTimes
  ) -> [Int] {
    guard uses.count > 1 else { return [] }
    let ledger = UnitLedger(of: uses, capacity: capacity, times)
    return uses.compactMap { use in
      guard times.started[use.pebble] > times.ready[use.pebble],
        let giver = ledger.giver(to: use.pebble, needing: use.units, times)
      else { return nil }
      let known = givers[use.pebble]
      guard known < 0 || times.isSettledEarlier(known, giver) else { return nil }
      givers[use.pebble] = giver
      return use.pebble
    }
  }

  private mutating func findHolders(among pebbles: [Int], _ times: RunTimes) {
    let ended = pebbles.sorted(by: times.isSettledEarlier)
    for (place, pebble) in ended.enumerated() {
      for other in ended[..<place].suffix(Self.mostHolders).reversed() {
        guard times.finished[other] > times.started[pebble] else { break }
        // The order of the replay counts as well, as for all other causes: a recording whose times
        // contradict its causes must not lead into a cycle.
        guard times.started[other] <= times.started[pebble],
          times.positions[other] < times.positions[pebble]
        else { continue }
        holders[pebble] = other
        break
      }
    }
  }
}
