/// What a runner does for every pebble. In a pond without attempts, order and observers that is
/// all, and takes no lock; what only some pebbles need is a branch to `Runner+Detours`.
///
/// What is `@inline(__always)` here saves a call for each pebble, and keeps in registers what that
/// would load anew; what is `@inline(never)` keeps the loop short, which saves fetching it.
extension Runner {
  /// Runs pebbles until there is none to take.
  nonisolated(nonsending) mutating func runPebbles() async -> End {
    guard var pebble = queue.take() else { return .findsNothing }
    var time = clock.now()
    defer { decisions.keepsNextApart = false }
    while true {
      if !queue.isEmpty { core.summonSpare(isUrgent: false) }

      let needsAttempts = someNeedAttempts && core.needsAttempts(pebble)
      time = max(time, state.enabledTime(of: pebble))
      // Here too, for those who were made to wait, as by a grant or a spare's stand-by.
      cancelIfDeadlinePassed(at: time)
      state.pebbleStarted(pebble, at: time)
      // Only now: who gives up the bodies of a cancelled run finds all that is running.
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
      // To ask for the references saves a slot, and a binding, for each pebble.
      // A body that cancels its own task must not cancel those that come after it, and a task that
      // it has left behind is not part of them.
      let isShared = slot.isShared
      if isShared, !succeeded, !needsAttempts { bodyFailed(pebble) }
      let cases = asksCases ? askCases(of: pebble, succeeded: succeeded) : CaseSet()
      // One reading serves as the end of this pebble and the start of the next: that saves half of
      // them.
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
      // It may have waited for what another pebble gave back after this reading.
      if isOrdered { time = clock.now() }
    }
  }

  @inline(__always)
  private mutating func pebbleEnded(
    _ pebble: Int, succeeded: Bool, _ cases: CaseSet, at time: UInt64
  ) {
    // Before anything follows from it, lest something start after the deadline.
    cancelIfDeadlinePassed(at: time)
    if !succeeded, !asksCases, core.isCancelled { RunObservation(core).noteCancelled(pebble) }
    let isObserved = watchesFailures || events.hasObservers
    decisions.listsSkipped = isObserved
    // Saves putting it into a list and taking it out. Others want to see all, in one list.
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

  @inline(__always)
  @discardableResult
  func cancelIfDeadlinePassed(at time: UInt64) -> Bool {
    // A clock may have come to the end of all numbers; a deadline there is none.
    guard time >= deadline, deadline < .max else { return false }
    core.cancel(.deadlinePassed, at: deadline)
    return true
  }

  /// The first pebble that has just become ready stays with this runner; the others are for all.
  /// Where there is an order, all have to wait for their turn.
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

  /// Calls the body and keeps what it returned or threw.
  ///
  /// - Returns: Whether the pebble succeeded; `nil` if the body was given up.
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
