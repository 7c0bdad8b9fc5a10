import Synchronization

/// A weak reference from a context to its run.
///
/// All references are equal, so that contexts are compared by the identifiers of their runs.
package final class RunReference: Sendable, Hashable {
  private let run: Mutex<WeakReference>

  private struct WeakReference {
    weak var object: (any AnyObject & Sendable)?
  }

  init(_ run: any AnyObject & Sendable) {
    self.run = Mutex(WeakReference(object: run))
  }

  package var object: (any AnyObject & Sendable)? { run.withLock(\.object) }

  package static func == (_: RunReference, _: RunReference) -> Bool { true }

  package func hash(into _: inout Hasher) {}
}
