/// What a runner does for some pebbles only. Out of line, so that the others do not pay for it.
extension Runner {
  @inline(never)
  nonisolated(nonsending) mutating func attempt(_ pebble: Int) async -> Bool {
    let succeeded = await PebbleAttempts(core, pebble).call(
      with: queue.ordered?.thread(for: pebble))
    if core.recording != nil {
      // Before anything follows from it.
      let cases = askCases(of: pebble, succeeded: succeeded)
      await core.keepEnd(of: pebble, succeeded: succeeded, cases)
      knownCases = cases
    }
    return succeeded
  }

  @inline(never)
  nonisolated(nonsending) func bindBody(of pebble: Int) async -> Bool? {
    await ContextSlot.$current.withValue(ownSlot) { await callBody(of: pebble) }
  }

  /// Asks the cases of a pebble whose body has ended. What cancels the run meanwhile is not why
  /// that failed.
  @inline(never)
  mutating func askCases(of pebble: Int, succeeded: Bool) -> CaseSet {
    if let known = knownCases.take() { return known }
    if !succeeded {
      cancelIfDeadlinePassed(at: clock.now())
      if core.isCancelled { RunObservation(core).noteCancelled(pebble) }
    }
    return program.cases(of: pebble, succeeded: succeeded, values, in: core.identifier)
  }

  /// A pebble does not start after all.
  @inline(never)
  func doesNotStart(_ pebble: Int) -> End {
    if case .lease(let lease)? = queue.ordered?.thread(for: pebble) { lease.end() }
    if state.startRevoked(of: pebble) { return .findsNothing }
    storage.lateBodyEnded(at: pebble)
    return .isGivenUp
  }

  /// What runs inside of a body that has failed is shut down; until then the pebble keeps what it
  /// uses. Only of a slot that is shared: nothing else can have been started in it.
  @inline(never)
  func bodyFailed(_ pebble: Int) {
    core.take { $0.bodyFailed(AttemptCall(core, pebble, in: slot.slotItself)) }
  }

  /// A body has ended that was given up: what runs inside of it is shut down.
  @inline(never)
  func bodyCameLate(_ pebble: Int) {
    let slotItself = slot.slotItself
    slot.close()
    core.take { $0.bodyFailed(AttemptCall(core, pebble, in: slotItself)) }
    core.storage.lateBodyEnded(at: pebble)
    // A run that resumes this one may wait for that.
    core.take { $0.changed() }
  }

  mutating func takeNextInOrder(after pebble: Int) -> Int? {
    queue.ordered?.giveBack(pebble, keepsUses: keepsUses, adding: decisions.ready[...])
    keepsUses = false
    decisions.ready.removeAll(keepingCapacity: true)
    guard let next = queue.take() else { return nil }
    // What this runner has given back may have let more than one in.
    if !queue.isEmpty { core.summonSpare(isUrgent: true) }
    return next
  }

  mutating func shareAll(after pebble: Int) {
    if isOrdered {
      queue.ordered?.giveBack(pebble, keepsUses: keepsUses, adding: decisions.ready[...])
      core.summonSpare(isUrgent: true)
    } else {
      if let next = decisions.takeNext() { decisions.ready.append(UInt32(next)) }
      share(decisions.ready[...])
    }
    decisions.ready.removeAll()
  }
}
