import Synchronization

/// The attempts of one run that are going on, where a shutdown may have to go on without them.
final class RunningAttempts: Sendable {
  /// Ends an attempt at a limit, although its body goes on.
  typealias GiveUp = @Sendable (AttemptLimit) -> Void

  private struct State {
    var attempts: [Int: GiveUp] = [:]

    /// The limit of those that come too late.
    var limit: (@Sendable (Int) -> AttemptLimit)?
  }

  /// Whether bodies have tasks of their own, so that they can be left behind: where there is
  /// something to tear down once they have ended.
  let canBeGivenUp: Bool
  private let state = Mutex(State())

  init(canBeGivenUp: Bool) {
    self.canBeGivenUp = canBeGivenUp
  }

  func add(_ pebble: Int, _ giveUp: @escaping GiveUp) {
    guard canBeGivenUp else { return }
    let limit = state.withLock { state in
      if state.limit == nil { state.attempts[pebble] = giveUp }
      return state.limit
    }
    if let limit { giveUp(limit(pebble)) }
  }

  func remove(_ pebble: Int) {
    guard canBeGivenUp else { return }
    state.withLock { _ = $0.attempts.removeValue(forKey: pebble) }
  }

  /// Gives up those that are going on, and any that comes after them.
  func giveUp(_ limit: @escaping @Sendable (Int) -> AttemptLimit) {
    let attempts = state.withLock { state in
      state.limit = limit
      defer { state.attempts = [:] }
      return state.attempts
    }
    for (pebble, giveUp) in attempts.sorted(by: { $0.key < $1.key }) { giveUp(limit(pebble)) }
  }
}
