import Synchronization

/// A network that is offline until a test brings it online.
package final class Network: Sendable {
  private let isOnline = Atomic(false)

  /// Creates a network that is offline.
  package init() {}

  package func goOnline() { isOnline.store(true, ordering: .sequentiallyConsistent) }

  /// Tries to reach the network.
  ///
  /// - Throws: ``Breakdown`` if the network is offline.
  package func reach() throws {
    if !isOnline.load(ordering: .sequentiallyConsistent) { throw Breakdown("no route") }
  }
}
