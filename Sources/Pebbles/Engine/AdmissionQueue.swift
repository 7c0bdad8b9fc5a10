/// The pebbles of one run that are ready and wait to be admitted under the limits of their pond.
///
/// The rule: a waiting pebble is *admissible* if enough units of everything it uses are free, and
/// no waiting pebble of better rank uses any of that. The best of the admissible is taken first.
/// So no pebble overtakes a better one on a resource they share, and a pebble that wants all of a
/// resource gets it once those ahead have ended; but a pebble that shares nothing with it goes on.
///
/// ```
/// connections: 1 of 4 free   a wants 4 and waits   b wants 1 and waits, for a is better
/// database:    1 of 1 free   c wants 1 and is admissible
/// ```
///
/// The limits on how many run at a time, in all and of a group, are no resources in this sense, or
/// one pebble that waits for a connection would hold back all that come after it. A place among the
/// running goes to the best pebble that could use it at once.
///
/// Something is admissible whenever a pebble waits and none holds anything: the best of all
/// waiting. So if every admitted pebble is released, every waiting one is admitted in the end.
///
/// How it is done: a resource keeps a heap of its claims and is *granted* to the best one, if
/// enough units are free. A pebble granted all it uses is admissible. Nothing is ever searched:
/// what is added, taken or released touches its own resources, and each of these changes hands at
/// most once. A pebble that loses a grant to a better one stays in the heap of candidates until it
/// comes up there. One that comes up while a group of its own is full is laid aside with the
/// outermost such group. Each place given back there recalls the best of those, on behalf of all:
/// if that one turns out not to be able to use the place, the next is recalled.
///
/// Some pebbles also need a thread, of which there are those that the queue is offered from
/// outside: a group of its own whose places come and go, and do not come back when a pebble is
/// released. It is inside of all other groups, so `threadDemand` tells whether a thread is the only
/// thing that is wanting.
///
/// Not synchronized. Deterministic: the same calls give the same order.
package struct AdmissionQueue: Sendable {
  /// How many pebbles wait.
  package private(set) var count = 0

  private let ranks: [UInt32]
  private let table: ResourceTable
  private var pebbles: [PebbleAdmission]
  private var resources: [Resource]

  private var groups: [Group]

  /// The pebbles that need a thread, and the number of their group.
  private let threaded: Set<UInt32>
  private var threadGroup: Int { table.groups.count }

  /// How many of them are among the candidates.
  private var threadedCandidates = 0

  /// The admissible, and some that are so no longer; the least of them is admissible.
  private var candidates = BinaryHeap<Claim>()

  /// How many more pebbles may run.
  private var freePlaces: Int

  /// - Parameters:
  ///   - ranks: For each pebble its rank; the least goes first. No two are equal.
  ///   - table: What the pebbles use, and what there is.
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

  /// Whether no pebble waits.
  package var isEmpty: Bool { count == 0 }

  /// Whether `take()` would return a pebble.
  ///
  /// - Complexity: O(1).
  package var canAdmit: Bool { freePlaces > 0 && !candidates.isEmpty }

  /// Pebbles have become ready: they wait from now on.
  ///
  /// - Precondition: None of them waits or is admitted. A pebble that has been released may come
  ///   again.
  /// - Complexity: O(log *n*) amortized per pebble and resource it uses, with *n* pebbles waiting.
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

  /// Admits the best pebble that can be admitted now. It holds what it uses until it is released.
  ///
  /// - Returns: The pebble, or `nil` if none can be admitted before another is released.
  /// - Complexity: O(log *n*) amortized per resource it uses, with *n* pebbles waiting.
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

  /// The groups that a pebble is in, the innermost first.
  private func groups(of pebble: UInt32) -> [Int] {
    (threaded.contains(pebble) ? [threadGroup] : []) + table.groups(of: pebble)
  }

  // MARK: Threads

  /// Offers a thread to the pebbles that need one; or as many as they like.
  package mutating func offerThread(unlimited: Bool = false) {
    groups[threadGroup].free = unlimited ? .max / 2 : groups[threadGroup].free + 1
    recall(from: threadGroup)
    settleCandidates()
  }

  /// Takes back the threads that were offered and that no pebble could use at once.
  ///
  /// - Returns: How many.
  package mutating func takeBackIdleThreads() -> Int {
    let free = groups[threadGroup].free
    guard free > 0, free < .max / 4, freePlaces == 0 || threadedCandidates == 0 else { return 0 }
    groups[threadGroup].free = 0
    settleCandidates()
    return free
  }

  /// The best pebble that would be admitted if only it had a thread.
  ///
  /// - Complexity: O(log *n*) amortized.
  package mutating func threadDemand() -> UInt32? {
    guard freePlaces > 0 else { return nil }
    while let claim = groups[threadGroup].laidAside.min {
      let full = table.groups(of: claim.pebble).filter { groups[$0].free == 0 }.last
      if pebbles[Int(claim.pebble)].missingGrants == 0, full == nil { return claim.pebble }
      _ = groups[threadGroup].laidAside.popMin()
      if let full, pebbles[Int(claim.pebble)].missingGrants == 0 {
        groups[full].laidAside.insert(claim)
      } else {
        pebbles[Int(claim.pebble)].isCandidate = false
      }
    }
    return nil
  }

  /// What holds back a pebble.
  package enum Obstacle: Sendable, Hashable {
    /// A resource: not enough of it is free, or a better pebble waits for it.
    case resource(Int)
    /// As many of a group run as may.
    case group(Int)
    /// As many pebbles run as may.
    case maxConcurrent
    /// There is no thread for it.
    case thread
    /// A service is down whose output it takes.
    case service(Int)
  }

  /// What holds back a waiting pebble; nothing for any other, and for one that may be taken.
  ///
  /// - Complexity: O(resources it uses + groups it is in).
  package func obstacles(of pebble: UInt32) -> [Obstacle] {
    guard pebbles[Int(pebble)].stage == .waiting else { return [] }
    let resources = table.uses(of: pebble).lazy.map(\.resource)
      .filter { self.resources[$0].grantee != pebble }.map(Obstacle.resource)
    let groups = groups(of: pebble).filter { self.groups[$0].free == 0 }
    let limits =
      resources + groups.filter { $0 != threadGroup }.map(Obstacle.group)
      + (freePlaces > 0 ? [] : [.maxConcurrent])
    // No thread is asked for before it is all that is wanting.
    return limits.isEmpty && groups.contains(threadGroup) ? [.thread] : limits
  }

  /// An admitted pebble gives back what it holds.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - keepsUses: Whether it gives back only its place among the running, and keeps the units
  ///     that it uses until `releaseUses(of:)`; unless it has given them back already.
  /// - Precondition: It has been taken, and not released since.
  /// - Complexity: O(log *n*) amortized per resource it uses, with *n* pebbles waiting.
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

  /// A pebble gives back the units that it uses, be it before or after its place; unless it has
  /// given back all at once.
  ///
  /// - Precondition: It has been taken.
  /// - Complexity: O(log *n*) amortized per resource it uses, with *n* pebbles waiting.
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

  /// Takes out the waiting pebbles that could never be admitted if some that have given back their
  /// place kept what they use for ever.
  ///
  /// - Parameter holders: Those.
  /// - Returns: What was taken out, in order of rank, each with one of those that it waits for.
  /// - Complexity: O(pebbles), and for each that is taken out O(pebbles that wait for the same).
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
    for (pebble, _) in blocked { remove(UInt32(pebble)) }
    settleCandidates()
    return blocked.sorted { ranks[$0.pebble] < ranks[$1.pebble] }
  }

  /// Takes a pebble out, if it waits, to be added again later.
  ///
  /// - Returns: Whether it waited.
  /// - Complexity: O(pebbles waiting).
  package mutating func withdraw(_ pebble: UInt32) -> Bool {
    guard pebbles[Int(pebble)].stage == .waiting else { return false }
    remove(pebble)
    settleCandidates()
    return true
  }

  private mutating func remove(_ pebble: UInt32) {
    change(pebble, from: .waiting, to: .outside)
    count -= 1
    for use in table.uses(of: pebble) {
      resources[use.resource].claims.removeAll(where: { $0.pebble == pebble })
      grant(use.resource)
    }
    if threaded.contains(pebble) {
      threadedCandidates -= candidates.count
      candidates.removeAll(where: { $0.pebble == pebble })
      threadedCandidates += candidates.count
    } else {
      candidates.removeAll(where: { $0.pebble == pebble })
    }
    for group in groups(of: pebble) {
      groups[group].laidAside.removeAll(where: { $0.pebble == pebble })
    }
    pebbles[Int(pebble)].isCandidate = false
    pebbles[Int(pebble)].missingGrants = 0
  }

  /// Grants a resource whose claims or units have changed to its best claim, or to none.
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

  /// Restores that the least candidate is admissible.
  private mutating func settleCandidates() {
    while let claim = candidates.min {
      let isStale = pebbles[Int(claim.pebble)].missingGrants > 0
      let full = groups(of: claim.pebble).filter { groups[$0].free == 0 }.last
      if isStale {
        _ = popCandidate()
      } else if let full {
        _ = popLeastCandidate()
        groups[full].laidAside.insert(claim)
      } else {
        return
      }
      // Inside of a full group no other pebble could use a place either; but a thread.
      for group in groups(of: claim.pebble)
      where isStale || group < full ?? 0 || group == threadGroup {
        recall(from: group)
      }
    }
  }

  /// Makes the best pebble that was laid aside with a group a candidate again, if there is a place.
  private mutating func recall(from group: Int) {
    guard groups[group].free > 0, let claim = groups[group].laidAside.popMin() else { return }
    insertCandidate(claim)
  }

  private mutating func change(_ pebble: UInt32, from old: Stage, to new: Stage) {
    let current = pebbles[Int(pebble)].stage
    precondition(current == old, "pebble \(pebble) cannot be \(new): it is \(current), not \(old)")
    pebbles[Int(pebble)].stage = new
  }
}
