import Synchronization

/// The program of a pond as it is defined now: compiled when it is first asked for, and again after
/// changes.
///
/// Belongs to the pond and not to its definition, which knows nothing of programs. It goes away
/// with the pond.
final class ProgramCache: Sendable {
  private struct Entry {
    let revision: Int
    let program: Program
  }

  private let latest = Mutex<Entry?>(nil)

  /// - Complexity: O(pebbles + atoms) after a change of the definition, else O(1).
  func program(of definition: PondDefinition) -> Program {
    let revision = definition.revision
    if let known = latest.withLock({ $0 }), known.revision == revision { return known.program }

    let snapshot = definition.snapshot()
    let entry = Entry(revision: snapshot.revision, program: Program(snapshot))
    // What it replaces is released out here: it holds user code, and that may do anything then.
    let replaced = latest.withLock { latest -> Entry? in
      guard latest.map({ $0.revision < entry.revision }) ?? true else { return nil }
      defer { latest = entry }
      return latest
    }
    return withExtendedLifetime(replaced) { entry.program }
  }
}

extension Program {
  /// The pond as it is now; if that is gone, as it was.
  var latest: Program {
    let graph = pond.graph
    return graph.definition.snapshot(ifChangedSince: graph.revision).map(Program.init) ?? self
  }
}
