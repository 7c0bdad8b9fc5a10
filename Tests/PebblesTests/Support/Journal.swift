import Synchronization

/// Notes what happened, in order, from any thread.
final class Journal<Entry: Sendable>: Sendable {
  private let log = Mutex<[Entry]>([])

  var entries: [Entry] { log.withLock { $0 } }
  var count: Int { log.withLock { $0.count } }

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
