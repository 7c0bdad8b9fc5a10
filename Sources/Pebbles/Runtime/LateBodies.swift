import Synchronization

/// An attempt whose end is known and that is not over: its body goes on although it was given up,
/// or what runs inside of it is being shut down.
final class LateBody: Sendable {
  let pebble: Int

  /// How long after it was given up the run still waits for it where it has to: as long again as it
  /// was given. A body that obeys cancellation needs less.
  let patience: UInt64

  /// When it was given up, in nanoseconds.
  let since: UInt64

  /// Given once the body has really ended.
  let hasEnded = Promise<Void>()

  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - limit: How long the attempt was given; `nil` for as long as it likes.
  ///   - time: When it was given up.
  init(of pebble: Int, after limit: Duration?, at time: UInt64) {
    self.pebble = pebble
    patience = limit?.nanoseconds ?? .max
    since = time
  }

  /// When the run waits for it no longer, in nanoseconds.
  var lastMoment: UInt64 { since.addingSaturated(patience) }
}

/// The late bodies of one run whose pebbles have settled and that still hold what these use.
final class LateBodies: Sendable {
  private struct State {
    var holders: [Int: LateBody] = [:]
    var change = Promise<Void>()
  }

  private let state = Mutex(State())

  /// A pebble has settled, and one of its bodies goes on with what it holds.
  func add(_ body: LateBody) {
    state.withLock { $0.holders[body.pebble] = body }
  }

  /// - Parameters:
  ///   - pebble: One that may be among them.
  ///   - giveBack: Gives back what the pebble uses, if it is. Who finds it gone finds that done.
  /// - Returns: Whether it was among them.
  @discardableResult
  func remove(_ pebble: Int, _ giveBack: () -> Void = {}) -> Bool {
    let change = state.withLock { state -> Promise<Void>? in
      guard state.holders.removeValue(forKey: pebble) != nil else { return nil }
      giveBack()
      defer { state.change = Promise() }
      return state.change
    }
    change?.fulfill(())
    return change != nil
  }

  /// Whether the last body of a pebble is among them.
  func contain(_ pebble: Int) -> Bool {
    state.withLock { $0.holders[pebble] != nil }
  }

  /// Those that there are, and what is given as soon as one of them has ended.
  var current: (holders: [LateBody], change: Promise<Void>) {
    state.withLock { (Array($0.holders.values), $0.change) }
  }
}

extension RunCore {
  /// A body has ended that had been given up. What it returned all the same is undone first.
  func lateBodyEnded(
    _ pebble: Int, _ promise: Promise<AttemptEnd>, output: AnyOutput??
  ) async {
    guard case .givenUp(_, let body)? = promise.fulfilled else {
      preconditionFailure("a body is late whose attempt was not given up")
    }
    if let output { await discard(output, of: pebble) }
    ContextSlot.current?.close()
    await closed(ContextSlot.current, of: pebble)
    storage.lateBodyEnded(at: pebble)
    attemptIsOver(body)
  }

  /// An attempt is over at last: what it held is given back.
  func attemptIsOver(_ attempt: LateBody) {
    attempt.hasEnded.fulfill(())
    let hasGivenBack = lateBodies.remove(attempt.pebble) { queue.giveBackUses(of: attempt.pebble) }
    if hasGivenBack, !life.isOver { summonSpare(isUrgent: true) }
  }

  /// How long it is until a time, in nanoseconds; `nil` if that never comes.
  func rest(until time: UInt64) -> Duration? {
    if time == .max { return nil }
    return (time - min(time, clock.now())).asNanoseconds
  }

  /// Waits for a body that has been given up, for as long as the run has patience.
  ///
  /// - Returns: Whether it has ended.
  func hasEnded(_ body: LateBody) async -> Bool {
    let last = min(body.lastMoment, options.deadline ?? .max)
    return await waits(for: body.hasEnded, atMost: rest(until: last))
  }

  /// A pebble is about to settle while its last body goes on: that keeps what it holds.
  func pebbleSettles(leaving body: LateBody) {
    guard program.options[UInt32(body.pebble)]?.traits.uses.isEmpty == false else { return }
    lateBodies.add(body)
    // It may have ended just before.
    if body.hasEnded.fulfilled != nil { lateBodies.remove(body.pebble) }
    // Others wait for what it holds, and with them the end of the run.
    for run in innerRuns.runs(of: body.pebble) { SelfAwaitingRuns.recheck(run) }
  }
}
