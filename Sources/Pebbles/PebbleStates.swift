/// The states of all pebbles while a run is under way, each read independently of the others.
struct PebbleStates {
  private let core: RunCore
  private let statuses: [PebbleStatus]
  private let waits: PebbleWaitGraph
  private let blocked: BlockedPebbles

  /// The limits that hold back each ready pebble, keyed by the pebble's position.
  private let obstacles: [Int: [AdmissionQueue.Obstacle]]

  private static let mostAwaited = 100

  /// The maximum number of operands to examine for one pebble. Without this limit, a large
  /// condition shared by many pebbles would be examined in full for each of them.
  private static let mostOperands = 1_000

  init(_ core: RunCore, _ statuses: [PebbleStatus]) {
    self.core = core
    self.statuses = statuses
    let state = core.storage.state
    blocked = core.storage.blocked
    waits = PebbleWaitGraph(state, core.program.pond.operands)
    let ready = statuses.indices.filter {
      statuses[$0] == .waiting && state.value(ofGate: $0) == true
    }
    obstacles = core.queue.ordered?.obstacles(of: ready) ?? [:]
  }

  subscript(pebble: Int) -> RunStatus.State {
    let state = core.storage.state
    switch statuses[pebble] {
    case .waiting:
      // The condition may have become false after the status was read.
      guard state.value(ofGate: pebble) != true else {
        return RunStatus.State(.ready(behind: obstacles[pebble, default: []].map(limit)))
      }
      let awaited = waits.pebbles(
        awaitedBy: pebble, atMost: Self.mostAwaited, lookingAtMost: Self.mostOperands)
      return RunStatus.State(.waiting(for: awaited.map(core.name)))
    case .running:
      let attempts = core.storage.attempts(at: pebble).count
      let since = state.startTime(of: pebble).asNanoseconds
      return RunStatus.State(.running(since: since, attempt: attempts + 1))
    case .succeeded, .failed, .skippedByCondition, .skippedByStall,
      .skippedByCancellation, .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
      switch core.storage.values.outcome(at: pebble) {
      case .succeeded, nil:
        let isKept = core.storage.kept[pebble] != nil
        return RunStatus.State(.succeeded(isKept: isKept), cases: state.cases(of: pebble))
      case .failed(let error):
        return RunStatus.State(
          .failed(RecordedError(recording: error)), cases: state.cases(of: pebble))
      case .skipped(let reason):
        return RunStatus.State(.skipped(reason, blocked.skipKind(of: pebble, statuses[pebble])))
      }
    }
  }

  /// Returns the pebble at a position, with its state, times, cause and attempts.
  func pebble(at pebble: Int) -> RunStatus.Pebble {
    let state = self[pebble]
    return RunStatus.Pebble(
      name: core.name(pebble), state: state, times: times(of: pebble, state.kind),
      cause: statuses[pebble].isSettled
        ? core.storage.state.cause(of: pebble).map(core.name) : nil,
      attempts: core.storage.attempts(at: pebble).map(RunStatus.Attempt.init))
  }

  /// Returns the times of a pebble whose state has the given kind. This method reads only the times
  /// that are always set in a state of this kind, because the run may be writing the other times
  /// concurrently.
  private func times(of pebble: Int, _ kind: RunStatus.State.Kind) -> RunStatus.Times {
    let state = core.storage.state
    var ready: Duration { state.readyTime(of: pebble).asNanoseconds }
    var started: Duration { state.startTime(of: pebble).asNanoseconds }
    var finished: Duration { state.finishTime(of: pebble).asNanoseconds }
    return switch kind {
    case .ready: RunStatus.Times(ready: ready)
    case .running: RunStatus.Times(ready: ready, started: started)
    case .succeeded, .failed:
      RunStatus.Times(ready: ready, started: started, finished: finished)
    case .skipped: RunStatus.Times(finished: finished)
    default: RunStatus.Times()
    }
  }

  private func limit(_ obstacle: AdmissionQueue.Obstacle) -> RunStatus.Limit {
    switch obstacle {
    case .resource(let resource):
      let key = core.program.limitNames.resources[resource]
      switch key.kind {
      case .resource: return RunStatus.Limit(.resource, key.name)
      case .exclusive: return RunStatus.Limit(.exclusive, key.name)
      }
    case .group(let group): return RunStatus.Limit(.cluster, core.program.limitNames.groups[group])
    case .maxConcurrent: return RunStatus.Limit(.maxConcurrent)
    case .thread: return RunStatus.Limit(.blockingThreads)
    case .service(let service): return RunStatus.Limit(.service, core.name(service))
    }
  }
}
