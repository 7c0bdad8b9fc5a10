/// The parts of a runner that only some pebbles need. They would slow down other pebbles if they
/// were inlined.
extension Runner {
  @inline(never)
  nonisolated(nonsending) mutating func attempt(_ pebble: Int) async -> Bool {
    let succeeded = await PebbleAttempts(core, pebble).call(
      with: queue.ordered?.thread(for: pebble))
    if core.recording != nil {
      // The end is recorded before anything follows from it.
      let cases = askCases(of: pebble, succeeded: succeeded)
      await core.keepEnd(of: pebble, succeeded: succeeded, cases)
      // If no pebble has cases, nobody takes these, and the next pebble would find them.
      if asksCases { knownCases = cases }
    }
    return succeeded
  }

  @inline(never)
  nonisolated(nonsending) func bindBody(of pebble: Int) async -> Bool? {
    await ContextSlot.$current.withValue(ownSlot) { await callBody(of: pebble) }
  }

  /// Determines which cases hold for a pebble after its body has ended. A failure counts as caused
  /// by cancellation only if this method is called after the run was cancelled or its deadline
  /// passed.
  @inline(never)
  mutating func askCases(of pebble: Int, succeeded: Bool) -> CaseSet {
    if let known = knownCases.take() { return known }
    if !succeeded {
      cancelIfDeadlinePassed(at: clock.now())
      if core.isCancelled { RunObservation(core).noteCancelled(pebble) }
    }
    return program.cases(of: pebble, succeeded: succeeded, values, in: core.identifier)
  }

  /// Reverts the start of a pebble in a cancelled run.
  ///
  /// - Returns: `isGivenUp` if the pebble was abandoned in the meantime and another runner settles
  ///   it; otherwise `findsNothing`.
  @inline(never)
  func doesNotStart(_ pebble: Int) -> End {
    if case .lease(let lease)? = queue.ordered?.thread(for: pebble) { lease.end() }
    if state.startRevoked(of: pebble) { return .findsNothing }
    storage.lateBodyEnded(at: pebble)
    return .isGivenUp
  }

  /// Shuts down the runs inside a body that has failed. The pebble keeps its resources until these
  /// runs are shut down. This method is called only if the slot is shared, because a body whose
  /// slot is not shared cannot have left any runs behind.
  @inline(never)
  func bodyFailed(_ pebble: Int) {
    core.take { $0.bodyFailed(AttemptCall(core, pebble, in: slot.slotItself, .none, nil)) }
  }

  /// Shuts down the runs inside a body that has ended after being abandoned.
  @inline(never)
  func bodyCameLate(_ pebble: Int) {
    let slotItself = slot.slotItself
    slot.close()
    core.take { $0.bodyFailed(AttemptCall(core, pebble, in: slotItself, .none, nil)) }
    core.storage.lateBodyEnded(at: pebble)
    // A run that resumes this one may wait for the end of the body.
    core.take { $0.changed() }
  }

  mutating func takeNextInOrder(after pebble: Int) -> Int? {
    queue.ordered?.giveBack(pebble, keepsUses: keepsUses, adding: decisions.ready[...])
    keepsUses = false
    decisions.ready.removeAll(keepingCapacity: true)
    guard let next = queue.take() else { return nil }
    // The resources that this runner has given back may be enough for several pebbles.
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
