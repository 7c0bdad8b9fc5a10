import PebblesTestSupport
import Synchronization

@testable import Pebbles

/// A background grant that a test answers and lets expire.
final class ManualGrant: BackgroundGrant {
  private struct State {
    var expired: (@Sendable () -> Void)?
    var answer: Int?
  }

  private let state = Mutex(State())
  private let asked = Gate()
  private let answered = Gate()
  private let expiresAtOnce: Bool

  /// The names it was asked with.
  let names = Logbook<String>()

  /// The tokens handed back.
  let ended = Logbook<Int>()

  /// - Parameter expiresAtOnce: Whether it expires within `begin`.
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

  /// Waits until somebody has asked.
  func wasAsked() async {
    await asked.passed()
  }

  /// - Parameter token: What `begin` returns; `nil` is a refusal.
  func answer(_ token: Int?) {
    state.withLock { $0.answer = token }
    answered.open()
  }

  /// Tells whoever has asked, if anybody has.
  func expire() {
    state.withLock { $0.expired }?()
  }
}
