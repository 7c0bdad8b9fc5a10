import Synchronization

/// A record of the bodies that wait for other runs. If a wait would make a run wait for itself,
/// directly or through other runs, this is detected before the wait begins.
///
/// The dependencies form a graph that contains the end and the shutdown of each run:
///
/// - The end of a run needs its bodies and, if the run is cancelled, also its shutdown.
/// - A resuming run may call a body that is still running in the earlier run. The end of the
///   resuming run then needs the end of the earlier call.
/// - A shutdown needs the end of the run, its services and teardowns, and the shutdowns of its
///   inner runs.
/// - A body needs everything that it waits for. To be called again, it also needs the shutdowns of
///   the runs inside the failed attempt.
/// - The shutdown of a run that is resumed needs the shutdown of the resuming run.
/// - An inner run may be shut down as part of its enclosing run. Its shutdown then needs everything
///   that is shut down earlier: the enclosing body, and the preceding teardowns and services.
///
/// Some of these dependencies arise only when runs are cancelled or shut down. Waits that have
/// already begun are then checked again.
///
/// All runs of the process share one lock. Therefore, if waits that begin at the same time form a
/// cycle, one of them sees all the others. The lock is taken only when a body waits for a run, and
/// when a run is cancelled or shut down while a body is waiting.
final class SelfAwaitingRuns: Sendable {
  private static let shared = SelfAwaitingRuns()

  /// A moment for which a body can wait: the end or the shutdown of a run.
  enum Moment: Hashable {
    case end, shutdown
  }

  fileprivate struct Node: Hashable {
    let core: RunCore
    let moment: Moment

    static func == (left: Node, right: Node) -> Bool {
      left.core === right.core && left.moment == right.moment
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(core))
      hasher.combine(moment)
    }
  }

  /// A body that waits for a run.
  final class Waiter: Sendable {
    fileprivate let body: EnclosingBody
    fileprivate let moment: Moment
    fileprivate let awaited: RunCore

    /// A promise that is fulfilled if the body would wait for itself.
    fileprivate let isBroken = Promise<Void>()

    fileprivate init(_ body: EnclosingBody, _ moment: Moment, of awaited: RunCore) {
      self.body = body
      self.moment = moment
      self.awaited = awaited
    }

    /// Waits for the value of a promise.
    ///
    /// - Throws: ``PondError`` if the body would wait for itself.
    func value<Value>(of promise: Promise<Value>) async throws(PondError) -> Value {
      let first = Promise<Value?>()
      promise.whenFulfilled { first.fulfill($0) }
      isBroken.whenFulfilled { first.fulfill(nil) }
      if let value = await first.value() { return value }
      throw SelfAwaitingRuns.error(awaited)
    }
  }

  fileprivate struct Waiters {
    /// The waiters that await a moment, keyed by the moment.
    private var byNode: [Node: [ObjectIdentifier: Waiter]] = [:]

    /// The waiters whose bodies belong to a run, keyed by the run.
    private var byBody: [ObjectIdentifier: [ObjectIdentifier: Waiter]] = [:]

    mutating func add(_ waiter: Waiter) {
      byNode[waiter.node, default: [:]][ObjectIdentifier(waiter)] = waiter
      byBody[ObjectIdentifier(waiter.body.core), default: [:]][ObjectIdentifier(waiter)] = waiter
    }

    mutating func remove(_ waiter: Waiter) -> Bool {
      let (node, body) = (waiter.node, ObjectIdentifier(waiter.body.core))
      let removed = byNode[node]?.removeValue(forKey: ObjectIdentifier(waiter))
      byBody[body]?[ObjectIdentifier(waiter)] = nil
      if byNode[node]?.isEmpty == true { byNode[node] = nil }
      if byBody[body]?.isEmpty == true { byBody[body] = nil }
      return removed != nil
    }

    func waiters(for node: Node) -> some Collection<Waiter> { (byNode[node] ?? [:]).values }

    func waiters(inside core: RunCore) -> some Collection<Waiter> {
      (byBody[ObjectIdentifier(core)] ?? [:]).values
    }
  }

  private let waiters = Mutex(Waiters())
  private let count = Atomic(0)

  private init() {}

  private func withLock<Result>(_ body: (inout Waiters) -> Result) -> Result {
    LockOrder.keeping(LockPlace.selfAwaitingRuns) { waiters.withLock { body(&$0) } }
  }

  /// Records that the current task is about to wait for a run.
  ///
  /// - Returns: A waiter, which must be used for the wait and then passed to `end(_:)`; `nil`
  ///   outside of runs.
  /// - Throws: ``PondError`` if the task would wait for itself.
  static func begin(_ moment: Moment, of awaited: RunCore) throws(PondError) -> Waiter? {
    guard let body = EnclosingBody.current else { return nil }
    let waiter = Waiter(body, moment, of: awaited)
    shared.count.add(1, ordering: .sequentiallyConsistent)
    let isAdded = shared.withLock { waiters in
      if waiter.isCyclic(waiters) { return false }
      waiters.add(waiter)
      return true
    }
    guard isAdded else {
      shared.count.subtract(1, ordering: .relaxed)
      throw error(awaited)
    }
    return waiter
  }

  static func end(_ waiter: Waiter?) {
    guard let waiter else { return }
    if shared.withLock({ $0.remove(waiter) }) {
      shared.count.subtract(1, ordering: .relaxed)
    }
  }

  /// Checks the waiters again after a run has been cancelled or shut down. Waiters that would now
  /// wait for themselves stop waiting and throw an error. The bodies of this run are checked first.
  ///
  /// Only waiters that depend on this run are checked. If a body awaits a thousand runs that are
  /// cancelled together, the first wait must not fail merely because the other runs have not been
  /// shut down yet.
  static func recheck(_ core: RunCore) {
    guard shared.count.load(ordering: .sequentiallyConsistent) > 0 else { return }
    let runsAnything = !core.life.read { $0.inner.isEmpty }
    let broken = shared.withLock { waiters -> [Waiter] in
      let inside = Array(waiters.waiters(inside: core))
      // The shutdown of the run needs only what is inside it.
      guard runsAnything || !inside.isEmpty else { return [] }
      let shutdown = Node(core: core, moment: .shutdown)
      return waiters.removeCyclic(of: inside) { $0.node }
        + waiters.removeCyclic(of: waiters.waiting(for: nodes(needingShutdownOf: core))) { _ in
          shutdown
        }
    }
    for waiter in broken {
      shared.count.subtract(1, ordering: .relaxed)
      waiter.isBroken.fulfill(())
    }
  }

  private static func error(_ awaited: RunCore) -> PondError {
    PondError(pondName: awaited.program.pond.graph.pondName, faults: [.waitsForItself])
  }

  /// Returns the moments that need the end of a body.
  ///
  /// These moments are:
  ///
  /// - for a teardown, or a running service whose pebble has settled: the shutdown of its run;
  /// - for any other body: the end of its run or, once its pebble has settled, the ends of the
  ///   resuming runs that wait for the body;
  /// - for all bodies: the ends and shutdowns of the runs that are shut down only after the body
  ///   has ended. However, a run that was started by the teardown itself may end earlier.
  fileprivate static func nodes(needing body: EnclosingBody) -> [Node] {
    let later = body.runsShutDownAfterIt.flatMap { run in
      let shutdown = Node(core: run, moment: .shutdown)
      return body.startsInTeardown(run) ? [shutdown] : [Node(core: run, moment: .end), shutdown]
    }
    if body.isTeardown || body.isRunningService {
      return later + [Node(core: body.core, moment: .shutdown)]
    }
    guard body.isSettled else { return later + [Node(core: body.core, moment: .end)] }
    return later + body.runsThatWaitForIt.map { Node(core: $0, moment: .end) }
  }

  fileprivate static func nodes(needingShutdownOf core: RunCore) -> [Node] {
    var nodes = core.isCancelled ? [Node(core: core, moment: .end)] : []
    nodes += core.earlierRuns.map { Node(core: $0, moment: .shutdown) }
    guard let (owner, around) = core.ownerAround else { return nodes }
    nodes.append(Node(core: around, moment: .shutdown))
    guard owner.slot.hasFailed else { return nodes }
    let isSettled = around.storage.state.status(of: owner.pebble).isSettled
    let mayBeCalledAgain = around.program.options[UInt32(owner.pebble)]?.traits.retry != nil
    if isSettled ? around.life.read({ $0.keepsUses(owner.pebble) }) : mayBeCalledAgain {
      nodes.append(Node(core: around, moment: .end))
    }
    return nodes
  }
}

extension SelfAwaitingRuns.Waiter {
  fileprivate var node: SelfAwaitingRuns.Node {
    SelfAwaitingRuns.Node(core: awaited, moment: moment)
  }

  /// Returns whether the awaited moment needs the body of the waiter itself.
  fileprivate func isCyclic(_ waiters: SelfAwaitingRuns.Waiters) -> Bool {
    waiters.reached(of: [node], from: SelfAwaitingRuns.nodes(needing: body)).contains(node)
  }
}

extension SelfAwaitingRuns.Waiters {
  /// Returns the waiters that wait for any of the given nodes, or for a node that needs one of
  /// them.
  fileprivate func waiting(for starts: [SelfAwaitingRuns.Node]) -> [SelfAwaitingRuns.Waiter] {
    var found: [SelfAwaitingRuns.Waiter] = []
    walk(from: starts) { node in
      found += waiters(for: node)
      return true
    }
    return found
  }

  /// Removes the waiters that wait for themselves. They are removed one after the other, because
  /// removing one of them may break the cycle for the others. Because a body may have a thousand
  /// waiters, its waiters are checked together until one of them is removed.
  ///
  /// - Parameters:
  ///   - candidates: The waiters to check.
  ///   - needed: A function that returns the node awaited by a waiter, or a node that the awaited
  ///     node needs. The waiter waits for itself if the returned node needs the body of the waiter.
  /// - Returns: The removed waiters.
  fileprivate mutating func removeCyclic(
    of candidates: [SelfAwaitingRuns.Waiter],
    _ needed: (SelfAwaitingRuns.Waiter) -> SelfAwaitingRuns.Node
  ) -> [SelfAwaitingRuns.Waiter] {
    var removed: [SelfAwaitingRuns.Waiter] = []
    var reached: [EnclosingBody: Set<SelfAwaitingRuns.Node>] = [:]
    let targets = Dictionary(grouping: candidates, by: \.body).mapValues { Set($0.map(needed)) }
    for waiter in candidates {
      let body = waiter.body
      if reached[body] == nil {
        let starts = SelfAwaitingRuns.nodes(needing: body)
        reached[body] = self.reached(of: targets[body] ?? [], from: starts)
      }
      guard reached[body]?.contains(needed(waiter)) == true, remove(waiter) else { continue }
      removed.append(waiter)
      reached = [:]
    }
    return removed
  }

  /// Returns the targets that are among the given nodes or need any of them.
  fileprivate func reached(
    of targets: Set<SelfAwaitingRuns.Node>, from starts: [SelfAwaitingRuns.Node]
  ) -> Set<SelfAwaitingRuns.Node> {
    var found: Set<SelfAwaitingRuns.Node> = []
    walk(from: starts) { node in
      if targets.contains(node) { found.insert(node) }
      return found.count < targets.count
    }
    return found
  }

  /// Visits the given nodes, and every node that needs one of them directly or indirectly, until
  /// the visitor returns `false`. No node is visited twice. Each body is also examined only once,
  /// because a body may wait for a thousand runs that all need this body.
  private func walk(
    from starts: [SelfAwaitingRuns.Node], _ visit: (SelfAwaitingRuns.Node) -> Bool
  ) {
    var known: Set<SelfAwaitingRuns.Node> = []
    var bodies: Set<EnclosingBody> = []
    var pending = starts
    while let node = pending.popLast() {
      guard known.insert(node).inserted else { continue }
      guard visit(node) else { return }
      for waiter in waiters(for: node) where bodies.insert(waiter.body).inserted {
        pending += SelfAwaitingRuns.nodes(needing: waiter.body)
      }
      switch node.moment {
      case .end: pending.append(SelfAwaitingRuns.Node(core: node.core, moment: .shutdown))
      case .shutdown: pending += SelfAwaitingRuns.nodes(needingShutdownOf: node.core)
      }
    }
  }
}
