import Synchronization

/// A run's hold on background time: whatever comes in whatever order, a grant that was given is
/// given back exactly once, and the run is cancelled at most once.
///
/// Four things happen: the run asks, the grant answers, the time expires, the run ends. The answer
/// may come after everything else, and the expiry before the answer.
final class GrantHold: Sendable {
  private let grant: any BackgroundGrant
  private let name: String
  private let state: Mutex<State>

  /// - Parameters:
  ///   - grant: What to hold.
  ///   - name: What it is held for.
  ///   - expired: Called when the time is up while the run lasts, at most once, before the grant is
  ///     given back. Let go of as soon as it cannot be called any more.
  init(_ grant: any BackgroundGrant, named name: String, expired: @escaping @Sendable () -> Void) {
    self.grant = grant
    self.name = name
    state = Mutex(State(phase: .idle(cancelRun: expired)))
  }

  deinit {
    runEnded()
  }

  /// Whether the time was up while the run lasted.
  var hasExpired: Bool { state.withLock { $0.hasExpired } }

  /// Asks for the grant and waits for the answer. Calls after the first do nothing.
  ///
  /// The run may begin, and end, without waiting for this.
  func begin() async {
    guard state.withLock({ $0.asked() }) else { return }
    await ask(grant)
  }

  /// Gives the grant back, now or when it comes. Calls after the first do nothing.
  func runEnded() {
    perform { $0.runEnded() }
  }

  private func ask(_ grant: some BackgroundGrant) async {
    // Weak, so that a system that keeps the handler for long keeps nothing else.
    let token = await grant.begin(named: name) { [weak self] in self?.timeExpired() }
    guard let token else { return perform { $0.refused() } }
    perform { $0.granted(endGrant: { grant.end(token) }) }
  }

  private func timeExpired() {
    perform { $0.timeExpired() }
  }

  private func perform(_ transition: (inout State) -> Action) {
    let (phase, action) = state.withLock { state in (state.phase, transition(&state)) }
    action.cancelRun?()
    action.endGrant?()
    // What the phase before held may be the last to hold the run, which must not go under the lock.
    withExtendedLifetime(phase) {}
  }

  /// What is left to do outside the lock, in this order.
  private struct Action {
    var cancelRun: (@Sendable () -> Void)?
    var endGrant: (@Sendable () -> Void)?
  }

  private struct State: Sendable {
    enum Phase {
      /// Can transition to: `asking` (the run asks), `over` (it ended without).
      case idle(cancelRun: @Sendable () -> Void)

      /// No answer yet.
      /// Can transition to: `held` (granted), `over` (refused), `unwanted` (expired or run ended).
      case asking(cancelRun: @Sendable () -> Void)

      /// Can transition to: `over` (expired or run ended).
      case held(cancelRun: @Sendable () -> Void, endGrant: @Sendable () -> Void)

      /// No answer yet, and if it is a grant, it is given back at once.
      /// Can transition to: `over` (the answer).
      case unwanted

      /// Final: there is no grant, and never will be.
      case over
    }

    var phase: Phase
    var hasExpired = false

    /// - Returns: Whether to ask.
    mutating func asked() -> Bool {
      guard case .idle(let cancelRun) = phase else { return false }
      phase = .asking(cancelRun: cancelRun)
      return true
    }

    mutating func granted(endGrant: @escaping @Sendable () -> Void) -> Action {
      switch phase {
      case .asking(let cancelRun):
        phase = .held(cancelRun: cancelRun, endGrant: endGrant)
        return Action()
      case .unwanted:
        phase = .over
        return Action(endGrant: endGrant)
      case .idle, .held, .over:
        preconditionFailure("a grant came in the phase \(phase), not asked for")
      }
    }

    mutating func refused() -> Action {
      switch phase {
      case .asking, .unwanted:
        phase = .over
        return Action()
      case .idle, .held, .over:
        preconditionFailure("a refusal came in the phase \(phase), not asked for")
      }
    }

    mutating func timeExpired() -> Action {
      switch phase {
      case .asking(let cancelRun):
        phase = .unwanted
        hasExpired = true
        return Action(cancelRun: cancelRun)
      case .held(let cancelRun, let endGrant):
        phase = .over
        hasExpired = true
        return Action(cancelRun: cancelRun, endGrant: endGrant)
      case .unwanted, .over:
        return Action()
      case .idle:
        preconditionFailure("the time of a grant expired that was not asked for")
      }
    }

    mutating func runEnded() -> Action {
      switch phase {
      case .idle:
        phase = .over
        return Action()
      case .asking:
        phase = .unwanted
        return Action()
      case .held(_, let endGrant):
        phase = .over
        return Action(endGrant: endGrant)
      case .unwanted, .over:
        return Action()
      }
    }
  }
}
