import Pebbles
import Synchronization

/// A background grant that records in the ledger when it begins and ends. It must be ended exactly
/// once, before the round is over.
final class SoakGrant: BackgroundGrant {
  private let isRefused: Bool
  private let ledger: SoakLedger
  private let expiry = Mutex<(@Sendable () -> Void)?>(nil)

  init(isRefused: Bool, _ ledger: SoakLedger) {
    self.isRefused = isRefused
    self.ledger = ledger
  }

  func begin(named name: String, expired: @escaping @Sendable () -> Void) async -> Bool? {
    expiry.withLock { $0 = expired }
    await Task.yield()
    if isRefused { return nil }
    ledger.grantBegan()
    return true
  }

  func end(_ token: Bool) {
    ledger.grantEnded()
  }

  func expire() {
    expiry.withLock(\.self)?()
  }
}
