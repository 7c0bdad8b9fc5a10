import Synchronization

/// A list of events in the order in which they were noted. It can be used from any thread.
package final class Logbook<Entry: Sendable>: Sendable {
  private let log = Mutex<[Entry]>([])

  package init() {}

  package var entries: [Entry] { log.withLock { $0 } }
  package var count: Int { log.withLock { $0.count } }

  package func note(_ entry: Entry) {
    log.withLock { $0.append(entry) }
  }
}
