/// The parts of a runner that every pebble needs. If a run awaits all of its bodies inline and has
/// neither an ordered queue nor observers, it needs no other parts and takes no lock. The parts
/// that only some pebbles need are in `Runner+Detours`, and are reached through branches.
///
/// Marking a function `@inline(__always)` saves a call for each pebble, and keeps values in
/// registers that would otherwise have to be loaded again. Marking a function `@inline(never)`
/// keeps the loop short, which saves instruction fetches.
extension Runner {
  /// Runs pebbles until there are no more pebbles to take.
  ///
  /// - Returns: The reason why the runner stops.
  nonisolated(nonsending) mutating func runPebbles() async -> End {
    guard var pebble = queue.take() else { return .findsNothing }
    var time = clock.now()
    defer { decisions.keepsNextApart = false }
    while true {
      if !queue.isEmpty { core.summonSpare(isUrgent: false) }

      let needsAttempts = someNeedAttempts && core.needsAttempts(pebble)
      time = max(time, state.enabledTime(of: pebble))
      // Checked here too, because the runner may have waited for a grant or stood by as a spare.
      cancelIfDeadlinePassed(at: time)
      state.pebbleStarted(pebble, at: time)
      // Checked only after the pebble counts as running. Otherwise, this body could be missed when
      // the bodies of a cancelled run are abandoned.
      if core.isCancelled { return doesNotStart(pebble) }
      slot.bodyStarts(pebble)
      let result: Bool?
      if needsAttempts {
        result = await attempt(pebble)
      } else {
        if events.hasObservers { RunObservation(core).noteStart(of: pebble, at: time) }
        result = bindsEachBody ? await bindBody(of: pebble) : await callBody(of: pebble)
      }
      guard let succeeded = result else {
        bodyCameLate(pebble)
        return .isGivenUp
      }
      // The slot is used again unless a task that the body has left behind also holds it. This
      // saves a slot and a binding for each pebble. Such a task must not count as a part of later
      // bodies, and a body that cancels its own task must not cancel later bodies.
      let isShared = slot.isShared
      if isShared, !succeeded, !needsAttempts { bodyFailed(pebble) }
      let cases = asksCases ? askCases(of: pebble, succeeded: succeeded) : CaseSet()
      // One reading serves as the end of this pebble and the start of the next, which saves half of
      // the readings.
      time = clock.now()
      pebbleEnded(pebble, succeeded: succeeded, cases, at: time)
      if needsAttempts || isShared {
        keepsUses = core.pebbleSettled(pebble, hasSucceeded: succeeded)
      }

      if isShared { slot.close() }
      if isShared || fitness.isUnfit, !core.isCancelled {
        shareAll(after: pebble)
        return .isUnfit
      }
      guard let next = takeNext(after: pebble) else { return .findsNothing }
      pebble = next
      // The next pebble may have waited for resources that were given back after this reading.
      if isOrdered { time = clock.now() }
    }
  }

  @inline(__always)
  private mutating func pebbleEnded(
    _ pebble: Int, succeeded: Bool, _ cases: CaseSet, at time: UInt64
  ) {
    // Checked before anything follows from the end, so that nothing starts after the deadline.
    cancelIfDeadlinePassed(at: time)
    if !succeeded, !asksCases, core.isCancelled { RunObservation(core).noteCancelled(pebble) }
    let isObserved = watchesFailures || events.hasObservers
    decisions.listsSkipped = isObserved
    // Avoids putting the next pebble into a list and taking it out again. Observers and ordered
    // queues need all pebbles in one list.
    decisions.keepsNextApart = !isOrdered && !isObserved
    if isObserved {
      RunObservation(core).noteEnd(of: pebble, succeeded: succeeded, cases: cases, at: time)
    }
    state.pebbleFinished(
      pebble, succeeded: succeeded, cases: cases, at: time, into: &decisions)
    if isObserved {
      RunObservation(core).pebbleFinished(pebble, succeeded: succeeded, &decisions, at: time)
    }
  }

  /// Takes the next pebble to run. Of the pebbles that have just become ready, the first stays with
  /// this runner, and the others go to the queue. If the queue is ordered, all of them go to the
  /// queue.
  ///
  /// - Returns: The next pebble; `nil` if there is no pebble to take.
  @inline(__always)
  private mutating func takeNext(after pebble: Int) -> Int? {
    if isOrdered { return takeNextInOrder(after: pebble) }
    if let next = decisions.takeNext() {
      if !decisions.ready.isEmpty { shareReady() }
      return next
    }
    guard let next = decisions.ready.first else { return queue.take() }
    decisions.ready.removeFirst()
    shareReady()
    return Int(next)
  }

  @inline(never)
  private mutating func shareReady() {
    share(decisions.ready[...])
    decisions.ready.removeAll(keepingCapacity: true)
  }

  func share(_ pebbles: ArraySlice<UInt32>) {
    guard !pebbles.isEmpty else { return }
    queue.append(pebbles)
    core.summonSpare(isUrgent: true)
  }

  /// Calls the body, and stores its output or error.
  ///
  /// - Returns: Whether the pebble succeeded; `nil` if the body was abandoned.
  @inline(__always)
  nonisolated(nonsending) func callBody(of pebble: Int) async -> Bool? {
    do {
      let output = try await program.callBody(of: pebble, values)
      guard state.claimEnd(of: pebble) else { return nil }
      if let output { values.setPayload(output, at: pebble) }
      return true
    } catch {
      guard state.claimEnd(of: pebble) else { return nil }
      values.setPayload(ErrorBox(error), at: pebble)
      return false
    }
  }
}
