import Synchronization

/// A network that can be unplugged.
package final class Network: Sendable {
  private let isOnline = Atomic(false)

  /// One that is offline.
  package init() {}

  package func goOnline() { isOnline.store(true, ordering: .sequentiallyConsistent) }

  /// - Throws: ``Breakdown`` if it is offline.
  package func reach() throws {
    if !isOnline.load(ordering: .sequentiallyConsistent) { throw Breakdown("no route") }
  }
}
