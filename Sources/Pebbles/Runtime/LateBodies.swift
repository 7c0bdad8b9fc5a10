import Synchronization

/// A body that goes on although its attempt is over: it has been given up.
final class LateBody: Sendable {
  let pebble: Int

  /// How long after it was given up the run still waits for it where it has to: as long again as it
  /// was given. A body that obeys cancellation needs less.
  let patience: UInt64

  /// When it was given up, in nanoseconds.
  let since: UInt64

  /// Given once the body has really ended.
  let hasEnded = Settlement<Void>()

  init(of pebble: Int, after limit: Duration, at time: UInt64) {
    self.pebble = pebble
    patience = limit.nanoseconds
    since = time
  }

  /// When the run waits for it no longer, in nanoseconds.
  var lastMoment: UInt64 { since.addingSaturated(patience) }
}

/// The late bodies of one run whose pebbles have settled and that still hold what these use.
final class LateBodies: Sendable {
  private struct State {
    var holders: [Int: LateBody] = [:]
    var change = Settlement<Void>()
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
    let change = state.withLock { state -> Settlement<Void>? in
      guard state.holders.removeValue(forKey: pebble) != nil else { return nil }
      giveBack()
      defer { state.change = Settlement() }
      return state.change
    }
    change?.settle(())
    return change != nil
  }

  /// Whether the last body of a pebble is among them.
  func contain(_ pebble: Int) -> Bool {
    state.withLock { $0.holders[pebble] != nil }
  }

  /// Those that there are, and what is given as soon as one of them has ended.
  var current: (holders: [LateBody], change: Settlement<Void>) {
    state.withLock { (Array($0.holders.values), $0.change) }
  }
}

extension RunCore {
  /// A body has ended that had been given up. What it returned all the same is undone first.
  func lateBodyEnded(
    _ pebble: Int, _ settlement: Settlement<AttemptEnd>, output: AnyOutput??
  ) async {
    guard case .givenUp(_, let body)? = settlement.settled else {
      preconditionFailure("a body is late whose attempt was not given up")
    }
    if let output { await discard(output, of: pebble) }
    ContextSlot.current?.close()
    storage.lateBodyEnded(at: pebble)
    body.hasEnded.settle(())
    let hasGivenBack = lateBodies.remove(pebble) { queue.giveBackUses(of: pebble) }
    if hasGivenBack, !life.isOver { summonSpare(isUrgent: true) }
  }

  /// Waits for a body that has been given up, for as long as the run has patience.
  ///
  /// - Returns: Whether it has ended.
  func hasEnded(_ body: LateBody) async -> Bool {
    let last = min(body.lastMoment, options.deadline ?? .max)
    let now = clock.now()
    return await waits(for: body.hasEnded, atMost: (last - min(last, now)).asNanoseconds)
  }

  /// A pebble is about to settle while its last body goes on: that keeps what it holds.
  func pebbleSettles(leaving body: LateBody) {
    guard program.options[UInt32(body.pebble)]?.traits.uses.isEmpty == false else { return }
    lateBodies.add(body)
    // It may have ended just before.
    if body.hasEnded.settled != nil { lateBodies.remove(body.pebble) }
  }

  /// Waits until something has happened: at most this long, and not in a cancelled task.
  ///
  /// - Returns: Whether it has happened.
  func waits(for happening: Settlement<Void>, atMost limit: Duration?) async -> Bool {
    let first = Settlement<Bool>()
    let wait = happening.whenSettled { _ in first.settle(true) }
    defer { happening.forget(wait) }
    if let known = first.settled { return known }
    let timer = limit.map { limit in
      Task(on: options.executor) { [clock] in
        guard (try? await clock.sleep(limit)) != nil else { return }
        first.settle(false)
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      first.settle(false)
    }
  }
}

/// What a service hands over whose body was given up before it was ready, from whatever thread. It
/// is undone once: when the body ends, or right away if it has ended.
final class LateOutput: Sendable {
  private enum State: Sendable {
    case nothing
    case kept(AnyOutput?)
    case bodyEnded
  }

  private let state = Mutex(State.nothing)

  /// - Returns: Whether the end of the body will take the output; otherwise the body has ended.
  func keep(_ output: AnyOutput?) -> Bool {
    state.withLock { state in
      if case .bodyEnded = state { return false }
      state = .kept(output)
      return true
    }
  }

  /// - Returns: What was handed over before the body ended; `nil` if nothing was.
  func bodyEnded() -> AnyOutput?? {
    state.withLock { state in
      defer { state = .bodyEnded }
      return if case .kept(let output) = state { .some(output) } else { nil }
    }
  }
}
