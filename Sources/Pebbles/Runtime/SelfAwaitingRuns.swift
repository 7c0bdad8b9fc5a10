import Synchronization

/// Which runs are awaited inside of which others, so that one that would have to wait for itself,
/// directly or through others, is found before it does.
///
/// Who waits for what is a graph of the ends and the shutdowns of runs:
///
/// - the end of a run needs its bodies, and that of a cancelled one also its shutdown;
/// - the end of a run that resumes another one needs the late bodies of that which it is to call
///   again;
/// - a shutdown needs the end of the run, its services and teardowns, and the shutdowns of the runs
///   inside;
/// - a body needs what it waits for, and, to be called again, the shutdowns of the runs inside of
///   the attempt that has failed;
/// - the shutdown of a run that another one resumes needs the shutdown of that one;
/// - a run that is shut down with one around it, and not by hand, needs what comes before it there:
///   the body it is inside of, and the teardowns and services before that.
///
/// The last four come up only as runs are cancelled and shut down. What is awaited by then in a
/// run that ends because of that is looked at again.
///
/// One lock for all runs of the process: of several that close a cycle at the same time, one must
/// see all the others. It is taken only by those who wait inside of a run, and by those who cancel
/// one while somebody does.
final class SelfAwaitingRuns: Sendable {
  private static let shared = SelfAwaitingRuns()

  /// What can be awaited of a run.
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

    /// Given if it would have to wait for itself.
    fileprivate let isBroken = Promise<Void>()

    fileprivate init(_ body: EnclosingBody, _ moment: Moment, of awaited: RunCore) {
      self.body = body
      self.moment = moment
      self.awaited = awaited
    }

    /// Waits for what is awaited.
    ///
    /// - Throws: ``PondError`` if it would have to wait for itself.
    func value<Value>(of promise: Promise<Value>) async throws(PondError) -> Value {
      let first = Promise<Value?>()
      promise.whenFulfilled { first.fulfill($0) }
      isBroken.whenFulfilled { first.fulfill(nil) }
      if let value = await first.value() { return value }
      throw SelfAwaitingRuns.error(awaited)
    }
  }

  fileprivate struct Waiters {
    /// By what is awaited.
    private var byNode: [Node: [ObjectIdentifier: Waiter]] = [:]

    /// By the run of the body.
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

  /// The asking task is about to wait for a run.
  ///
  /// - Returns: What to wait with, and to hand to `end(_:)` afterwards; `nil` outside of runs.
  /// - Throws: ``PondError`` if it would wait for itself.
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

  /// A run has been cancelled, or is shut down: who cannot wait any longer for what it waits for is
  /// told so, a body of this run first.
  ///
  /// Nobody else is looked at: of a thousand runs that are cancelled with the body that awaits
  /// them, the first must not find that the others, still to come, are shut down only after it.
  static func recheck(_ core: RunCore) {
    guard shared.count.load(ordering: .sequentiallyConsistent) > 0 else { return }
    let runsAnything = !core.life.read { $0.inner.isEmpty }
    let broken = shared.withLock { waiters -> [Waiter] in
      let inside = Array(waiters.waiters(inside: core))
      // Its shutdown needs what is inside of it, and nothing else.
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

  /// What waits for the end of a body: the run until the pebble settles; later only the teardown,
  /// for services and for what it has called itself, and a run that resumes that one and does not
  /// call the body beside itself.
  fileprivate static func nodes(needing body: EnclosingBody) -> [Node] {
    let later = body.runsShutDownAfterIt.flatMap {
      [Node(core: $0, moment: .end), Node(core: $0, moment: .shutdown)]
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

  /// Whether what it is about to wait for waits for its body.
  fileprivate func isCyclic(_ waiters: SelfAwaitingRuns.Waiters) -> Bool {
    waiters.reached(of: [node], from: SelfAwaitingRuns.nodes(needing: body)).contains(node)
  }
}

extension SelfAwaitingRuns.Waiters {
  /// Those that wait for some nodes, or for what needs these.
  fileprivate func waiting(for starts: [SelfAwaitingRuns.Node]) -> [SelfAwaitingRuns.Waiter] {
    var found: [SelfAwaitingRuns.Waiter] = []
    walk(from: starts) { node in
      found += waiters(for: node)
      return true
    }
    return found
  }

  /// Takes those out that wait for what waits for their body, one after the other: without one of
  /// them others may be able to wait. Those of one body, which may be a thousand, are looked at
  /// together for as long as there is nothing to take out.
  ///
  /// - Parameters:
  ///   - candidates: Those that it may be.
  ///   - needed: What closes the circle of one if it needs the body: what it waits for, or
  ///     something that this needs.
  /// - Returns: Those that have been taken out.
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

  /// Which of some nodes need some others.
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

  /// Visits what needs some nodes, each once, for as long as the visitor wants to go on. Each body
  /// is asked once as well: one may wait for a thousand runs, and each of these is needed by it.
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
