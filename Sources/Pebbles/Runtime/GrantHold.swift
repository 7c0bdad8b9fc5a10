import Synchronization

/// The background grant of one run: asks for it, and returns it exactly once.
///
/// States:
/// - *idle*. Can go to *asking* (`begin`) or *over* (the run has ended already).
/// - *asking*: the grant has been asked and has not answered. Can go to *held* (it granted),
///   *over* (it refused) or *unwanted* (it expired, or the run has ended).
/// - *unwanted*: as asking, but what it grants is returned at once. Can go to *over*.
/// - *held*: the token is in here. Can go to *over* (the run has ended, or the grant expired), and
///   whoever takes it there ends the token.
/// - *over* is final.
///
/// `expired` is called at most once: at the first expiry while asking or held.
final class GrantHold: Sendable {
  private typealias End = @Sendable () -> Void

  private enum State {
    case idle
    case asking
    case unwanted
    case held(End)
    case over
  }

  private let grant: any BackgroundGrant
  private let expired: @Sendable () -> Void
  private let state = Mutex(State.idle)

  /// - Parameters:
  ///   - grant: Whom to ask.
  ///   - expired: Called, from any thread, when the grant ends before the run: cancels the run.
  init(_ grant: any BackgroundGrant, expired: @escaping @Sendable () -> Void) {
    self.grant = grant
    self.expired = expired
  }

  /// A run that is dropped without its end leaves no token behind.
  deinit { runEnded() }

  /// Asks for the grant and waits for the answer. Calls after the first, or after the end of the
  /// run, do nothing.
  func begin(named name: String) async {
    let isFirst = state.withLock { state in
      switch state {
      case .idle:
        state = .asking
        return true
      case .asking, .unwanted, .held, .over:
        return false
      }
    }
    if isFirst { await ask(grant, name) }
  }

  /// The run has ended: the grant is no longer needed. Calls after the first do nothing.
  func runEnded() {
    let end = state.withLock { Self.release(&$0).end }
    end?()
  }

  private func ask<Grant: BackgroundGrant>(_ grant: Grant, _ name: String) async {
    // Weak, because the grant may keep this for as long as it likes.
    let answer = await grant.begin(named: name) { [weak self] in self?.grantExpired() }
    if let token = answer {
      answered { grant.end(token) }
    } else {
      answered(nil)
    }
  }

  /// - Parameter end: Ends the token; `nil` if there is none.
  private func answered(_ end: End?) {
    let surplus = state.withLock { state -> End? in
      switch state {
      case .asking:
        state = if let end { .held(end) } else { .over }
        return nil
      case .unwanted:
        state = .over
        return end
      case .idle, .held, .over:
        preconditionFailure("the grant answered without a question, in \(state)")
      }
    }
    surplus?()
  }

  private func grantExpired() {
    let (wasWanted, end) = state.withLock { Self.release(&$0) }
    // The run first, while the process is sure to run: the system may stop it once the token ends.
    if wasWanted { expired() }
    end?()
  }

  /// - Returns: Whether the grant was wanted until now, and what ends its token if it was held.
  private static func release(_ state: inout State) -> (wasWanted: Bool, end: End?) {
    switch state {
    case .idle:
      state = .over
      return (false, nil)
    case .asking:
      state = .unwanted
      return (true, nil)
    case .held(let end):
      state = .over
      return (true, end)
    case .unwanted, .over:
      return (false, nil)
    }
  }
}
