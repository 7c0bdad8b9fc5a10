import Synchronization

/// Which runs are awaited inside of which others, so that one that would have to wait for itself,
/// directly or through others, is found before it does.
///
/// Who waits for what is a graph of the ends and the shutdowns of runs:
///
/// - the end of a run needs its bodies, and that of a cancelled one also its shutdown;
/// - a shutdown needs the end of the run, its services and teardowns, and the shutdowns of the runs
///   inside;
/// - a body needs what it waits for, and, to be called again, the shutdowns of the runs inside of
///   the attempt that has failed.
///
/// The last two come up only as runs are cancelled and shut down. What is awaited by then in a run
/// that ends because of that is looked at again.
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

  private struct Node: Hashable {
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

  private let waiters = Mutex<[ObjectIdentifier: Waiter]>([:])
  private let count = Atomic(0)

  private init() {}

  /// The asking task is about to wait for a run.
  ///
  /// - Returns: What to wait with, and to hand to `end(_:)` afterwards; `nil` outside of runs.
  /// - Throws: ``PondError`` if it would wait for itself.
  static func begin(_ moment: Moment, of awaited: RunCore) throws(PondError) -> Waiter? {
    guard let body = EnclosingBody.current else { return nil }
    let waiter = Waiter(body, moment, of: awaited)
    shared.count.add(1, ordering: .sequentiallyConsistent)
    let isAdded = shared.waiters.withLock { waiters in
      if isCyclic(waiter, waiters) { return false }
      waiters[ObjectIdentifier(waiter)] = waiter
      return true
    }
    guard isAdded else {
      shared.count.subtract(1, ordering: .relaxed)
      throw error(awaited)
    }
    // What was cancelled before it was counted was not looked at with it.
    if body.core.isCancelled { recheck() }
    return waiter
  }

  static func end(_ waiter: Waiter?) {
    guard let waiter else { return }
    let isRemoved = shared.waiters.withLock {
      $0.removeValue(forKey: ObjectIdentifier(waiter)) != nil
    }
    if isRemoved { shared.count.subtract(1, ordering: .relaxed) }
  }

  /// A run has been cancelled, or is shut down: those who cannot wait any longer for what they wait
  /// for are told so, those first whose run that is.
  static func recheck() {
    guard shared.count.load(ordering: .sequentiallyConsistent) > 0 else { return }
    let broken = shared.waiters.withLock { waiters in
      var broken: [Waiter] = []
      let (ending, others) = (
        waiters.values.filter { $0.body.core.isCancelled },
        waiters.values.filter { !$0.body.core.isCancelled }
      )
      for waiter in ending + others {
        waiters[ObjectIdentifier(waiter)] = nil
        if isCyclic(waiter, waiters) {
          broken.append(waiter)
        } else {
          waiters[ObjectIdentifier(waiter)] = waiter
        }
      }
      return broken
    }
    for waiter in broken {
      shared.count.subtract(1, ordering: .relaxed)
      waiter.isBroken.fulfill(())
    }
  }

  private static func error(_ awaited: RunCore) -> PondError {
    PondError(pondName: awaited.program.pond.graph.pondName, faults: [.waitsForItself])
  }

  /// Whether what a body is about to wait for waits for that body.
  private static func isCyclic(_ waiter: Waiter, _ waiters: [ObjectIdentifier: Waiter]) -> Bool {
    let target = Node(core: waiter.awaited, moment: waiter.moment)
    var known: Set<Node> = []
    var pending = nodes(needing: waiter.body)
    while let node = pending.popLast() {
      if node == target { return true }
      guard known.insert(node).inserted else { continue }
      for other in waiters.values
      where other.awaited === node.core && other.moment == node.moment {
        pending += nodes(needing: other.body)
      }
      switch node.moment {
      case .end: pending.append(Node(core: node.core, moment: .shutdown))
      case .shutdown: pending += nodes(needingShutdownOf: node.core)
      }
    }
    return false
  }

  /// What waits for the end of a body: the run until the pebble settles; later only the teardown,
  /// for services and for what it has called itself.
  private static func nodes(needing body: EnclosingBody) -> [Node] {
    if body.isTeardown || body.isRunningService {
      return [Node(core: body.core, moment: .shutdown)]
    }
    return body.isSettled ? [] : [Node(core: body.core, moment: .end)]
  }

  private static func nodes(needingShutdownOf core: RunCore) -> [Node] {
    var nodes = core.isCancelled ? [Node(core: core, moment: .end)] : []
    guard let (owner, around) = core.ownerAround else { return nodes }
    nodes.append(Node(core: around, moment: .shutdown))
    let isSettled = around.storage.state.status(of: owner.pebble).isSettled
    if !isSettled, owner.slot.hasFailed { nodes.append(Node(core: around, moment: .end)) }
    return nodes
  }
}

/// A body or a teardown of a run, as something that other runs are started or awaited in.
struct EnclosingBody: Sendable {
  let core: RunCore
  let pebble: Int
  let isTeardown: Bool

  /// The one the asking task is inside of; `nil` outside of runs, and in a task that has outlived
  /// the body that started it.
  static var current: EnclosingBody? {
    guard let slot = ContextSlot.current, let core = slot.core, let pebble = slot.position else {
      return nil
    }
    return EnclosingBody(core: core, pebble: pebble, isTeardown: slot.isTeardown)
  }

  /// Whether one of those that the asking task is inside of, the innermost first, is such.
  static func isAnyAround(_ isSuch: (EnclosingBody) -> Bool) -> Bool {
    var parent = current
    while let current = parent {
      if isSuch(current) { return true }
      parent = current.core.parent
    }
    return false
  }

  var isSettled: Bool { core.storage.state.status(of: pebble).isSettled }

  /// Whether it is a service that goes on although its pebble has settled.
  var isRunningService: Bool { isSettled && core.services.running.contains(pebble) }
}
