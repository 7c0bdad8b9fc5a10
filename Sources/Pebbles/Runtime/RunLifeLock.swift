import Synchronization

/// The life of a run behind its one lock, with what runners ask of it for every pebble as plain
/// atomics, and those who wait for the end and for the teardown.
///
/// What is to be done about what has happened is done outside of the lock and in the order of what
/// has happened: by whoever is at it already, or else by the one who reports it.
///
/// In which order it and other locks are taken is in `LockPlace`.
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

  /// Where the run was started itself.
  let owner: RunOwner?

  /// How many runs it is inside of.
  fileprivate let depth: Int

  // Copies, written under the lock: runners look at them for every pebble.
  //
  // When the run was cancelled, in nanoseconds plus one; 0 if it was not.
  private let cancellation = Atomic<UInt64>(0)
  private let isRunOver = Atomic(false)

  /// The end, for those who wait for the report.
  let end = Promise<RunEnd>()

  /// Given once the run has been torn down.
  let shutdown = Promise<Void>()

  /// For a run that belongs to `owner`, or, if it follows another one, to that one's.
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

  /// Something has happened.
  ///
  /// - Parameters:
  ///   - perform: Does what is to be done about it, one after the other.
  ///   - happening: Says so.
  /// - Returns: What that returns.
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

  /// Changes what nothing is to be done about.
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

  /// When the run was cancelled, in nanoseconds; only of one that was.
  var cancellationTime: UInt64 { cancellation.load(ordering: .relaxed) - 1 }

  /// Whether every pebble has settled. Who sees this sees the outcomes.
  var isOver: Bool { isRunOver.load(ordering: .acquiring) }
}

extension Resumption {
  /// How deep the run lies that it follows; whoever holds the lock of one run may take that of an
  /// earlier one.
  fileprivate var depth: Int? { line.runs.map(\.life.depth).max() }
}
