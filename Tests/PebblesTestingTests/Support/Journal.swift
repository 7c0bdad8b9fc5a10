import Synchronization

/// What happened, in the order in which it did.
final class Journal<Entry: Sendable>: Sendable {
  private let log = Mutex<[Entry]>([])

  var entries: [Entry] { log.withLock { $0 } }

  func note(_ entry: Entry) {
    log.withLock { $0.append(entry) }
  }
}

/// An error with a text of the test's choice.
struct Breakdown: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String = "it broke down") {
    self.description = description
  }
}
