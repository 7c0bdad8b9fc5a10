import PebblesTestSupport
import Synchronization

@testable import Pebbles

/// A background grant for which a test answers the request and triggers the expiry.
final class ManualGrant: BackgroundGrant {
  private struct State {
    var expired: (@Sendable () -> Void)?
    var answer: Int?
  }

  private let state = Mutex(State())
  private let asked = Gate()
  private let answered = Gate()
  private let expiresAtOnce: Bool

  /// The names with which the grant was requested.
  let names = Logbook<String>()

  /// The tokens of the grants that were ended.
  let ended = Logbook<Int>()

  /// Creates a grant.
  ///
  /// - Parameter expiresAtOnce: Whether the grant expires within `begin`.
  init(expiresAtOnce: Bool = false) {
    self.expiresAtOnce = expiresAtOnce
  }

  func begin(named name: String, expired: @escaping @Sendable () -> Void) async -> Int? {
    names.note(name)
    state.withLock { $0.expired = expired }
    if expiresAtOnce { expired() }
    asked.open()
    await answered.passed()
    return state.withLock { $0.answer }
  }

  func end(_ token: Int) {
    ended.note(token)
  }

  /// Waits until the grant has been requested.
  func wasAsked() async {
    await asked.passed()
  }

  /// Answers the request.
  ///
  /// - Parameter token: The result of `begin`; `nil` refuses the request.
  func answer(_ token: Int?) {
    state.withLock { $0.answer = token }
    answered.open()
  }

  /// Makes the grant expire, if it has been requested.
  func expire() {
    state.withLock { $0.expired }?()
  }
}
