import Pebbles

/// For each pebble of a recorded run what it waited for last, besides other pebbles to settle: a
/// limit, or the main actor.
struct WaitTable {
  /// By pebble, the one that gave back what it waited for while it was ready; -1 if there was none.
  private(set) var givers: [Int]

  /// Those that waited for the main actor while they were ready.
  private(set) var mainActorWaiters: Set<Int> = []

  /// By pebble, the one that had the main actor when its body was called; -1 if there was none.
  private(set) var holders: [Int]

  /// How far back holders of the main actor are looked for.
  private static let mostHolders = 64

  /// - Parameters:
  ///   - replay: The run.
  ///   - times: Its times.
  ///   - mainActor: The pebbles that hold the main actor while they run.
  /// - Complexity: O(pebbles + uses log uses) if there are limits, else O(pebbles).
  init(_ replay: Replay, _ times: RunTimes, mainActor: Set<Int>) {
    givers = Array(repeating: -1, count: times.finished.count)
    holders = givers
    let limits = replay.run.model.limits
    guard !limits.isUnlimited || !mainActor.isEmpty else { return }
    // In the order of settling, so that little is left to sort.
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

  /// A place in a cluster is a unit of it.
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

  /// Notes the givers of one resource where they are the latest.
  ///
  /// - Returns: The pebbles that were given something.
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
        // Also in the order of the replay, as all else that a pebble is put down to: a recording
        // whose times contradict its causes must not lead round in a cycle.
        guard times.started[other] <= times.started[pebble],
          times.positions[other] < times.positions[pebble]
        else { continue }
        holders[pebble] = other
        break
      }
    }
  }
}
