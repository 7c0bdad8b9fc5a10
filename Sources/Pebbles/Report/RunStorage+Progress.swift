extension RunStorage {
  /// Replays everything that happened in earlier processes, in the original order.
  ///
  /// Each step was recorded before its consequences. Therefore, if a step's pebble is not ready, a
  /// stall must have preceded the step. In this case, the replay first settles the pebbles that
  /// wait for each other.
  ///
  /// - Parameters:
  ///   - progress: The progress to replay. The state must have begun, and must not have changed
  ///     since then.
  ///   - decisions: The decisions of the state, to which the replay adds its results.
  ///   - handler: A closure that is called after each step.
  /// - Returns: The first pebble that cannot have ended as recorded; `nil` if all steps are
  ///   possible.
  /// - Complexity: O(pebbles + atoms), plus O(pebbles + atoms) for each stall, counting only the
  ///   pebbles that still wait.
  package func replay(
    _ progress: RunProgress, into decisions: inout Decisions,
    handler: (RunProgress.Step, inout Decisions) -> Void = { _, _ in }
  ) -> Int? {
    noteProcesses(progress.processCount)
    for (pebble, errors) in progress.lateTeardownErrors {
      for error in errors { lateTeardownFailed(RecordedError(error), at: pebble) }
    }
    var ready = decisions.ready
    decisions.ready.removeAll()
    for step in progress.steps {
      let pebble = step.pebble
      while state.status(of: pebble) == .waiting, state.value(ofGate: pebble) != true {
        let time = step.time
        guard
          state.settleAtRest(pond.operands, isCancelled: false, at: time, into: &decisions)
        else { return pebble }
      }
      guard state.status(of: pebble) == .waiting else { return pebble }
      switch step {
      case .ended(let end): replay(end, into: &decisions)
      case .skipped(_, let holder, let time):
        state.holderStuck(holder, heldFrom: pebble, at: time, into: &decisions)
      }
      handler(step, &decisions)
      ready += decisions.ready
      decisions.ready.removeAll(keepingCapacity: true)
    }
    decisions.ready = ready.filter { state.status(of: Int($0)) == .waiting }
    return nil
  }

  private func replay(_ end: RunProgress.End, into decisions: inout Decisions) {
    if let payload = end.payload { values.setPayload(payload, at: end.pebble) }
    for attempt in end.attempts { add(attempt, at: end.pebble) }
    if end.wasCancelled { bodyWasCancelled(at: end.pebble) }
    state.pebbleStarted(end.pebble, at: end.started)
    state.pebbleFinished(
      end.pebble, succeeded: end.succeeded, cases: end.cases, at: end.finished, into: &decisions)
  }
}

extension RunProgress.Step {
  package var pebble: Int {
    switch self {
    case .ended(let end): end.pebble
    case .skipped(let pebble, _, _): pebble
    }
  }

  package var time: UInt64 {
    switch self {
    case .ended(let end): end.finished
    case .skipped(_, _, let time): time
    }
  }
}
