import Synchronization

/// The life of a run, protected by a lock, and promises for the end of the run and of its teardown.
/// The values that runners read for every pebble are also stored as atomic copies.
///
/// Actions are performed outside of the lock, in the order of the transitions that caused them. If
/// a thread is already performing actions, it also performs those of later transitions. Otherwise,
/// the caller of the transition performs them.
///
/// `LockPlace` defines this lock's place in the order of all locks.
final class RunLifeLock: Sendable {
  private struct State {
    var life: RunLife
    var isPerforming = false

    mutating func beginPerforming() -> [RunLife.Action] {
      let actions = life.takeActions()
      isPerforming = !actions.isEmpty
      return actions
    }
  }

  private let state: Mutex<State>

  /// The attempt that owns the run; `nil` if the run has no owner.
  let owner: RunOwner?

  /// The depth of the run, which determines the place of its lock. A run is deeper than its
  /// enclosing run and all earlier runs in its chain.
  fileprivate let depth: Int

  // Copies of values that runners read for every pebble, written under the lock.
  //
  // The time at which the run was cancelled, in nanoseconds plus one; 0 if it was not cancelled.
  private let cancellation = Atomic<UInt64>(0)
  private let isRunOver = Atomic(false)

  /// A promise of the run's end, for callers that wait for the report.
  let end = Promise<RunEnd>()

  /// A promise that is fulfilled once the run has been torn down.
  let shutdown = Promise<Void>()

  /// Creates the life of a run. The run belongs to `owner` or, if it resumes an earlier run, to the
  /// owner of that run.
  init(
    _ run: RunLifecycle, _ families: RestartFamilies, owner: RunOwner?,
    following resumption: Resumption? = nil
  ) {
    state = Mutex(State(life: RunLife(run, families)))
    self.owner = resumption.map(\.owner) ?? owner
    let around = self.owner?.slot.life?.depth ?? -1
    depth = 1 + max(around, resumption?.depth ?? -1)
  }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    LockOrder.keeping(LockPlace.run(atDepth: depth)) { state.withLock { body(&$0) } }
  }

  /// Applies a transition. The resulting actions are performed by this call, or by a thread that is
  /// already performing actions.
  ///
  /// - Parameters:
  ///   - perform: A function that performs one action.
  ///   - happening: The transition.
  /// - Returns: The result of `happening`.
  func take<Result>(
    performing perform: (RunLife.Action) -> Void, _ happening: (inout RunLife) -> Result
  ) -> Result {
    var (result, actions) = withLock { state in
      let result = happening(&state.life)
      copy(state.life.run)
      return (result, state.isPerforming ? [] : state.beginPerforming())
    }
    while !actions.isEmpty {
      for action in actions { perform(action) }
      actions = withLock { $0.beginPerforming() }
    }
    return result
  }

  func read<Result>(_ asked: (borrowing RunLife) -> Result) -> Result {
    withLock { asked($0.life) }
  }

  /// Applies a change that causes no actions.
  func change<Result>(_ change: (inout RunLife) -> Result) -> Result {
    withLock { change(&$0.life) }
  }

  private func copy(_ run: RunLifecycle) {
    if let time = run.cancellation?.time {
      cancellation.store(time == .max ? time : time + 1, ordering: .releasing)
    }
    if run.isOver { isRunOver.store(true, ordering: .releasing) }
  }

  var phase: RunLifecycle.Phase { read { $0.run.phase } }

  var isCancelled: Bool { cancellation.load(ordering: .relaxed) != 0 }

  /// The time at which the run was cancelled, in nanoseconds. The value is valid only if the run
  /// was cancelled.
  var cancellationTime: UInt64 { cancellation.load(ordering: .relaxed) - 1 }

  /// Whether every pebble has settled. A caller that sees `true` also sees the outcomes.
  var isOver: Bool { isRunOver.load(ordering: .acquiring) }
}

extension Resumption {
  /// The maximum depth of the runs in the chain; `nil` if all runs have been released. A new run
  /// must be deeper, because the locks of earlier runs in its chain may be taken while its own lock
  /// is held.
  fileprivate var depth: Int? { chain.runs.map(\.life.depth).max() }
}
