import Synchronization

@testable import Pebbles

/// A system that grants background time as a test wishes, and keeps book.
final class GrantLedger: BackgroundGrant {
  private struct Book {
    var asked: [String] = []
    var expiries: [@Sendable () -> Void] = []
    var granted = 0
    var ended: [Int] = []
  }

  private let book = Mutex(Book())
  private let isGranting: Bool
  private let answering: Gate
  private let expiresWhenAsked: Bool

  /// Opens when somebody has asked.
  let asked = Gate()

  /// - Parameters:
  ///   - isGranting: Whether it grants, or refuses.
  ///   - answering: It answers when this is open; at once if there is none.
  ///   - expiresWhenAsked: Whether the time is up before the answer.
  init(isGranting: Bool = true, answering: Gate? = nil, expiresWhenAsked: Bool = false) {
    self.isGranting = isGranting
    self.expiresWhenAsked = expiresWhenAsked
    self.answering = answering ?? Gate()
    if answering == nil { self.answering.open() }
  }

  /// What was asked for, by name.
  var names: [String] { book.withLock { $0.asked } }

  /// How many grants were given.
  var grantedCount: Int { book.withLock { $0.granted } }

  /// The grants given back, in that order.
  var ended: [Int] { book.withLock { $0.ended } }

  /// The time is up for all that has been asked for.
  func expire() {
    for expired in book.withLock({ $0.expiries }) { expired() }
  }

  func begin(named name: String, expired: @escaping @Sendable () -> Void) async -> Int? {
    book.withLock { book in
      book.asked.append(name)
      book.expiries.append(expired)
    }
    if expiresWhenAsked { expired() }
    asked.open()
    await answering.passed()
    guard isGranting else { return nil }
    return book.withLock { book in
      book.granted += 1
      return book.granted
    }
  }

  func end(_ token: Int) {
    book.withLock { $0.ended.append(token) }
  }
}
