import Synchronization

/// A run's hold on background time. Regardless of the order of events, every grant is ended exactly
/// once, and the run is cancelled at most once.
///
/// There are four events: the run requests the grant, the answer arrives, the time expires, and the
/// run ends. The answer may arrive last, and may also arrive after the time has expired.
final class GrantHold: Sendable {
  private let grant: any BackgroundGrant
  private let name: String
  private let state: Mutex<State>

  /// Creates a hold that has not requested its grant yet.
  ///
  /// - Parameters:
  ///   - grant: The grant to hold.
  ///   - name: The name under which the grant is requested.
  ///   - expired: A function that is called at most once, if the time expires before the run ends.
  ///     It is called before the grant is ended, and released as soon as it can no longer be
  ///     called.
  init(_ grant: any BackgroundGrant, named name: String, expired: @escaping @Sendable () -> Void) {
    self.grant = grant
    self.name = name
    state = Mutex(State(phase: .idle(cancelRun: expired)))
  }

  deinit {
    runEnded()
  }

  /// Whether the background time expired before the run ended.
  var hasExpired: Bool { state.withLock { $0.hasExpired } }

  /// Requests the grant and waits for the answer. Only the first call has an effect.
  ///
  /// The run need not wait for this method. It may begin, and even end, before the answer arrives.
  func begin() async {
    guard state.withLock({ $0.asked() }) else { return }
    await ask(grant)
  }

  /// Ends the grant immediately or, if there is no answer yet, as soon as it is granted. Only the
  /// first call has an effect.
  func runEnded() {
    perform { $0.runEnded() }
  }

  private func ask(_ grant: some BackgroundGrant) async {
    // The reference is weak, because the system may keep the handler for a long time, which must
    // not keep the hold alive.
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
    // The previous phase may hold the last reference to the run, which must not be released under
    // the lock.
    withExtendedLifetime(phase) {}
  }

  /// The work to do outside the lock, in the order of the properties.
  private struct Action {
    var cancelRun: (@Sendable () -> Void)?
    var endGrant: (@Sendable () -> Void)?
  }

  private struct State: Sendable {
    enum Phase {
      /// A hold that has not requested its grant yet.
      /// Can transition to: `asking` (the run requests the grant), `over` (the run ends without
      /// requesting it).
      case idle(cancelRun: @Sendable () -> Void)

      /// A hold that waits for the answer.
      /// Can transition to: `held` (granted), `over` (refused), `unwanted` (expired or run ended).
      case asking(cancelRun: @Sendable () -> Void)

      /// A hold that has its grant.
      /// Can transition to: `over` (expired or run ended).
      case held(cancelRun: @Sendable () -> Void, endGrant: @Sendable () -> Void)

      /// A hold that waits for the answer but no longer needs the grant. If the grant is given
      /// after all, the hold ends it immediately.
      /// Can transition to: `over` (the answer arrives).
      case unwanted

      /// The final phase. The run holds no grant and will not request one.
      case over
    }

    var phase: Phase
    var hasExpired = false

    /// Records that the run wants the grant.
    ///
    /// - Returns: Whether to request the grant.
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
