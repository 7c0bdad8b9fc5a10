import Synchronization

/// A cache for the program of a pond. The program is compiled on first use, and again on the first
/// use after a change to the definition.
///
/// The cache belongs to the pond, and is released with it. The definition does not refer to
/// programs.
final class ProgramCache: Sendable {
  private struct Entry {
    let revision: Int
    let program: Program
  }

  private let latest = Mutex<Entry?>(nil)

  /// Returns the program of the current state of the definition.
  ///
  /// - Complexity: O(pebbles + atoms) after a change to the definition, otherwise O(1).
  func program(of definition: PondDefinition) -> Program {
    let revision = definition.revision
    if let known = latest.withLock({ $0 }), known.revision == revision { return known.program }

    let snapshot = definition.snapshot()
    let entry = Entry(revision: snapshot.revision, program: Program(snapshot))
    // The replaced program is released outside of the lock, because it holds user code, whose
    // deinitializers may do anything.
    let replaced = latest.withLock { latest -> Entry? in
      guard latest.map({ $0.revision < entry.revision }) ?? true else { return nil }
      defer { latest = entry }
      return latest
    }
    return withExtendedLifetime(replaced) { entry.program }
  }
}

extension Program {
  /// The program of the pond's current state; `self` if the pond has not changed or was released.
  var latest: Program {
    let graph = pond.graph
    return graph.definition.snapshot(ifChangedSince: graph.revision).map(Program.init) ?? self
  }
}
