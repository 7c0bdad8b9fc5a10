/// A queue that admits the ready pebbles of one run within the limits of their pond.
///
/// A waiting pebble is *admissible* if enough units of everything it uses are free, and no waiting
/// pebble with a better rank uses any of the same resources. The best admissible pebble is taken
/// first. Therefore, no pebble overtakes a better pebble that uses one of the same resources. A
/// pebble that needs all units of a resource gets them once all of them are free and no better
/// pebble waits for the resource. In the meantime, pebbles that use only other resources are not
/// delayed.
///
/// ```
/// connections: 1 of 4 free   a wants 4 and waits   b wants 1 and waits behind a
/// database:    1 of 1 free   c wants 1 and is admissible
/// ```
///
/// The limits on how many pebbles run at a time, in total and per group, are not treated as
/// resources. If they were, a pebble that waits for a connection would hold back every pebble after
/// it. A free place goes to the best pebble that can use it immediately.
///
/// Whenever a pebble waits and no pebble holds anything, the best waiting pebble is admissible.
/// Therefore, if every admitted pebble is released, every waiting pebble is eventually admitted.
///
/// **Implementation.** Each resource keeps a heap of its claims and is *granted* to the best claim
/// if enough units are free. A pebble that is granted everything it uses is admissible. The queue
/// is never searched: adding, taking or releasing a pebble touches only the resources that the
/// pebble uses, and changes each of their grants at most once. A pebble that loses a grant to a
/// better pebble stays in the heap of candidates until it reaches the top. A candidate that reaches
/// the top while some of its groups are full is deferred: it joins the pebbles that wait for a
/// place in the outermost full group. Whenever a place in a group becomes free, the best pebble
/// that waits for it is recalled. If this pebble cannot use the place, or is removed, the next
/// pebble is recalled.
///
/// Some pebbles also need a thread. The caller offers threads to the queue. The pebbles that need a
/// thread form an additional group. Releasing a pebble does not free a place in this group. The
/// group counts as the innermost group of each of its pebbles, so that `threadDemand()` can find a
/// pebble that lacks only a thread.
///
/// The queue is not synchronized. It is deterministic: the same calls result in the same order.
package struct AdmissionQueue: Sendable {
  /// The number of waiting pebbles.
  package private(set) var count = 0

  /// The rank of each pebble. A pebble with a lower rank is better; see ``PebbleRanks``.
  private let ranks: [UInt32]
  private let table: ResourceTable
  private var pebbles: [PebbleAdmission]
  private var resources: [Resource]

  private var groups: [Group]

  /// The pebbles that need a thread. Their group is `threadGroup`.
  private let threaded: Set<UInt32>
  private var threadGroup: Int { table.groups.count }

  /// The number of threaded pebbles among the candidates.
  private var threadedCandidates = 0

  /// A heap of the admissible pebbles. It may also contain pebbles that are no longer admissible,
  /// but never at the top.
  private var candidates = BinaryHeap<Claim>()

  /// The number of free places under the limit for the whole pond; initially `.max` if the pond has
  /// no limit.
  private var freePlaces: Int

  /// Creates an empty queue.
  ///
  /// - Parameters:
  ///   - ranks: The rank of each pebble. A pebble with a lower rank is better, and no two ranks are
  ///     equal.
  ///   - table: The resources, their capacities, and the units each pebble uses.
  ///   - threaded: The pebbles that need a thread.
  package init(ranks: [UInt32], _ table: ResourceTable, threaded: Set<UInt32> = []) {
    self.ranks = ranks
    self.table = table
    self.threaded = threaded
    pebbles = Array(repeating: PebbleAdmission(), count: ranks.count)
    resources = table.capacities.map(Resource.init(free:))
    groups = table.groups.map { Group(free: $0.maxConcurrent) } + [Group(free: 0)]
    freePlaces = table.maxConcurrent ?? .max
  }

  /// Whether no pebble is waiting.
  package var isEmpty: Bool { count == 0 }

  /// Whether `take()` would return a pebble.
  ///
  /// - Complexity: O(1).
  package var canAdmit: Bool { freePlaces > 0 && !candidates.isEmpty }

  /// Adds pebbles that have become ready.
  ///
  /// - Precondition: The pebbles are neither waiting nor admitted, and hold no units. A pebble that
  ///   has been released, along with its units, may be added again.
  /// - Complexity: O(log *n*) amortized for each pebble and each resource that it uses, where *n*
  ///   is the number of waiting pebbles.
  package mutating func add(_ added: some Sequence<UInt32>) {
    for pebble in added { add(pebble) }
    settleCandidates()
  }

  private mutating func add(_ pebble: UInt32) {
    change(pebble, from: .outside, to: .waiting)
    count += 1
    let uses = table.uses(of: pebble)
    pebbles[Int(pebble)].missingGrants = UInt32(uses.count)
    if uses.isEmpty { addCandidate(pebble) }
    for use in uses {
      let claim = Claim(rank: ranks[Int(pebble)], pebble: pebble, units: use.units)
      resources[use.resource].claims.insert(claim)
      grant(use.resource)
    }
  }

  /// Admits the best admissible pebble. The pebble then holds its units until it is released.
  ///
  /// - Returns: The pebble, or `nil` if no pebble can be admitted at present.
  /// - Complexity: O(log *n*) amortized for each resource that the pebble uses, where *n* is the
  ///   number of waiting pebbles.
  package mutating func take() -> UInt32? {
    guard freePlaces > 0, let pebble = popCandidate() else { return nil }
    change(pebble, from: .waiting, to: .admitted)
    count -= 1
    freePlaces -= 1
    for use in table.uses(of: pebble) {
      let claim = resources[use.resource].claims.popMin()
      assert(claim?.pebble == pebble, "a pebble was admitted before a better one")
      resources[use.resource].free -= use.units
      grant(use.resource)
    }
    for group in groups(of: pebble) { groups[group].free -= 1 }
    settleCandidates()
    return pebble
  }

  /// Returns the groups that contain a pebble, the innermost first.
  private func groups(of pebble: UInt32) -> [Int] {
    (threaded.contains(pebble) ? [threadGroup] : []) + table.groups(of: pebble)
  }

  // MARK: Threads

  /// Offers one more thread to the pebbles that need one.
  ///
  /// - Parameter unlimited: Whether to offer an unlimited number of threads instead.
  package mutating func offerThread(unlimited: Bool = false) {
    groups[threadGroup].free = unlimited ? .max / 2 : groups[threadGroup].free + 1
    // With unlimited threads, all can start, and nobody is recalled later.
    repeat { recall(from: threadGroup) } while unlimited && !groups[threadGroup].deferred.isEmpty
    settleCandidates()
  }

  /// Takes back the offered threads that no pebble can use right now.
  ///
  /// - Returns: The number of threads taken back; 0 if the offer is unlimited.
  package mutating func takeBackIdleThreads() -> Int {
    let free = groups[threadGroup].free
    guard free > 0, free < .max / 4, freePlaces == 0 || threadedCandidates == 0 else { return 0 }
    groups[threadGroup].free = 0
    settleCandidates()
    return free
  }

  /// Returns the best pebble that lacks only a thread, or `nil` if there is no such pebble.
  ///
  /// - Complexity: O(log *n*) amortized.
  package mutating func threadDemand() -> UInt32? {
    guard freePlaces > 0 else { return nil }
    while let claim = groups[threadGroup].deferred.min {
      let full = table.groups(of: claim.pebble).filter { groups[$0].free == 0 }.last
      if pebbles[Int(claim.pebble)].missingGrants == 0, full == nil { return claim.pebble }
      _ = groups[threadGroup].deferred.popMin()
      if let full, pebbles[Int(claim.pebble)].missingGrants == 0 {
        groups[full].deferred.insert(claim)
      } else {
        pebbles[Int(claim.pebble)].isCandidate = false
      }
    }
    return nil
  }

  /// A reason why a waiting pebble is held back.
  package enum Obstacle: Sendable, Hashable {
    /// A resource that has too few free units, or that a better pebble has claimed.
    case resource(Int)
    /// A group that is full.
    case group(Int)
    /// The limit on how many pebbles run at a time.
    case maxConcurrent
    /// The lack of a thread.
    case thread
    /// A service that provides an input of the pebble, but is down.
    case service(Int)
  }

  /// Returns the obstacles that hold back a waiting pebble. The array is empty if the pebble is not
  /// waiting, or if it can be taken.
  ///
  /// - Complexity: O(resources that the pebble uses + groups that contain it).
  package func obstacles(of pebble: UInt32) -> [Obstacle] {
    guard pebbles[Int(pebble)].stage == .waiting else { return [] }
    let resources = table.uses(of: pebble).lazy.map(\.resource)
      .filter { self.resources[$0].grantee != pebble }.map(Obstacle.resource)
    let groups = groups(of: pebble).filter { self.groups[$0].free == 0 }
    let limits =
      resources + groups.filter { $0 != threadGroup }.map(Obstacle.group)
      + (freePlaces > 0 ? [] : [.maxConcurrent])
    // A thread is only asked for when nothing else is missing.
    return limits.isEmpty && groups.contains(threadGroup) ? [.thread] : limits
  }

  /// Releases an admitted pebble: frees its place among the running pebbles, and the units that it
  /// holds.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - keepsUses: Whether the pebble keeps its units until `releaseUses(of:)` is called. If so,
  ///     only its place is freed. Ignored if the units have already been released.
  /// - Precondition: The pebble has been taken, and not released since.
  /// - Complexity: O(log *n*) amortized for each resource that the pebble uses, where *n* is the
  ///   number of waiting pebbles.
  package mutating func release(_ pebble: UInt32, keepsUses: Bool = false) {
    switch pebbles[Int(pebble)].stage {
    case .admittedWithoutUses:
      change(pebble, from: .admittedWithoutUses, to: .outside)
    case .outside, .waiting, .admitted, .using:
      change(pebble, from: .admitted, to: keepsUses ? .using : .outside)
      if !keepsUses { giveBackUnits(of: pebble) }
    }
    freePlaces += 1
    for group in table.groups(of: pebble) {
      groups[group].free += 1
      recall(from: group)
    }
    settleCandidates()
  }

  /// Releases the units that a pebble uses, whether or not the pebble itself has been released.
  /// Does nothing if the pebble holds no units.
  ///
  /// - Precondition: The pebble has been taken.
  /// - Complexity: O(log *n*) amortized for each resource that the pebble uses, where *n* is the
  ///   number of waiting pebbles.
  package mutating func releaseUses(of pebble: UInt32) {
    switch pebbles[Int(pebble)].stage {
    case .using: change(pebble, from: .using, to: .outside)
    case .admitted: change(pebble, from: .admitted, to: .admittedWithoutUses)
    case .outside, .waiting, .admittedWithoutUses: return
    }
    giveBackUnits(of: pebble)
    settleCandidates()
  }

  private mutating func giveBackUnits(of pebble: UInt32) {
    for use in table.uses(of: pebble) {
      resources[use.resource].free += use.units
      grant(use.resource)
    }
  }

  /// Removes the waiting pebbles that could never be admitted if `holders` kept their units
  /// forever.
  ///
  /// - Parameter holders: The released pebbles that may still hold units.
  /// - Returns: The removed pebbles in order of rank, each with one of the holders that block it.
  /// - Complexity: O(pebbles + *n* log *n*), where *n* is the number of waiting pebbles plus the
  ///   total number of their resources and groups.
  package mutating func removeBlocked(by holders: [Int]) -> [(pebble: Int, holder: Int)] {
    var held: [Int: (units: Int, holder: Int)] = [:]
    for holder in holders where pebbles[holder].stage == .using {
      for use in table.uses(of: UInt32(holder)) {
        held[use.resource, default: (0, holder)].units += use.units
      }
    }
    let waiting = pebbles.indices.filter { pebbles[$0].stage == .waiting }
    let blocked = waiting.compactMap { pebble -> (pebble: Int, holder: Int)? in
      for use in table.uses(of: UInt32(pebble)) {
        guard let (units, holder) = held[use.resource] else { continue }
        if use.units > table.capacities[use.resource] - units { return (pebble, holder) }
      }
      return nil
    }
    remove(blocked.map { UInt32($0.pebble) })
    return blocked.sorted { ranks[$0.pebble] < ranks[$1.pebble] }
  }

  /// Removes all given pebbles that are waiting. The removed pebbles can be added again later.
  ///
  /// - Returns: The removed pebbles.
  /// - Complexity: O(*n* log *n*), where *n* is the number of given and waiting pebbles plus the
  ///   total number of their resources and groups.
  package mutating func withdraw(_ given: [UInt32]) -> [UInt32] {
    let waiting = given.filter { pebbles[Int($0)].stage == .waiting }
    remove(waiting)
    return waiting
  }

  private mutating func remove(_ removed: [UInt32]) {
    let unwanted = Set(removed)
    for resource in Set(removed.flatMap { table.uses(of: $0) }.map(\.resource)) {
      resources[resource].claims.removeAll(where: { unwanted.contains($0.pebble) })
      grant(resource)
    }
    let unwantedThreaded = unwanted.intersection(threaded)
    threadedCandidates -= candidates.count
    candidates.removeAll(where: { unwantedThreaded.contains($0.pebble) })
    threadedCandidates += candidates.count
    candidates.removeAll(where: { unwanted.contains($0.pebble) })
    for group in Set(removed.flatMap { groups(of: $0) }) {
      groups[group].deferred.removeAll(where: { unwanted.contains($0.pebble) })
    }
    for pebble in removed {
      change(pebble, from: .waiting, to: .outside)
      pebbles[Int(pebble)].isCandidate = false
      pebbles[Int(pebble)].missingGrants = 0
      // The pebble may be the one that was recalled for a free place.
      for group in groups(of: pebble) { recall(from: group) }
    }
    count -= removed.count
    settleCandidates()
  }

  /// Grants a resource to the pebble with the best claim if enough units are free; otherwise,
  /// revokes the grant. This method must be called when the claims or the free units of the
  /// resource have changed.
  private mutating func grant(_ resource: Int) {
    let free = resources[resource].free
    assert((0...table.capacities[resource]).contains(free), "a resource was granted to too many")
    let old = resources[resource].grantee
    let new = resources[resource].claims.min.flatMap { $0.units <= free ? $0.pebble : nil }
    guard new != old else { return }
    resources[resource].grantee = new
    if let old { pebbles[Int(old)].missingGrants += 1 }
    if let new {
      pebbles[Int(new)].missingGrants -= 1
      if pebbles[Int(new)].missingGrants == 0 { addCandidate(new) }
    }
  }

  private mutating func addCandidate(_ pebble: UInt32) {
    guard !pebbles[Int(pebble)].isCandidate else { return }
    pebbles[Int(pebble)].isCandidate = true
    insertCandidate(Claim(rank: ranks[Int(pebble)], pebble: pebble, units: 1))
  }

  private mutating func insertCandidate(_ claim: Claim) {
    if threaded.contains(claim.pebble) { threadedCandidates += 1 }
    candidates.insert(claim)
  }

  private mutating func popLeastCandidate() -> Claim? {
    guard let claim = candidates.popMin() else { return nil }
    if threaded.contains(claim.pebble) { threadedCandidates -= 1 }
    return claim
  }

  private mutating func popCandidate() -> UInt32? {
    guard let pebble = popLeastCandidate()?.pebble else { return nil }
    pebbles[Int(pebble)].isCandidate = false
    return pebble
  }

  /// Restores the invariant that the candidate at the top of the heap is admissible.
  private mutating func settleCandidates() {
    while let claim = candidates.min {
      let isStale = pebbles[Int(claim.pebble)].missingGrants > 0
      let full = groups(of: claim.pebble).filter { groups[$0].free == 0 }.last
      if isStale {
        _ = popCandidate()
      } else if let full {
        _ = popLeastCandidate()
        groups[full].deferred.insert(claim)
      } else {
        return
      }
      // The pebbles of a group inside the full group are in the full group, too, and cannot use a
      // place now. But another pebble might use a thread.
      for group in groups(of: claim.pebble)
      where isStale || group < full ?? 0 || group == threadGroup {
        recall(from: group)
      }
    }
  }

  /// Recalls the best pebble that is deferred with a group, if the group has a free place. The
  /// pebble becomes a candidate again.
  private mutating func recall(from group: Int) {
    guard groups[group].free > 0, let claim = groups[group].deferred.popMin() else { return }
    insertCandidate(claim)
  }

  private mutating func change(_ pebble: UInt32, from old: Stage, to new: Stage) {
    let current = pebbles[Int(pebble)].stage
    precondition(current == old, "pebble \(pebble) cannot be \(new): it is \(current), not \(old)")
    pebbles[Int(pebble)].stage = new
  }
}
