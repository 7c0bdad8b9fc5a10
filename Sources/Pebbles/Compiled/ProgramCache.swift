import Synchronization

/// A cache for the program of a pond. The program is compiled on first use, and again on the first
/// use after a change to the definition.
///
/// The cache belongs to the pond, and is released with it. The definition does not refer to
/// programs.
final class ProgramCache: Sendable {
  private let latest = Mutex<Program?>(nil)

  /// Returns the program for the definition's current state.
  ///
  /// - Complexity: O(pebbles + atoms) after a change to the definition, otherwise O(1).
  func program(of definition: PondDefinition) -> Program {
    let revision = definition.revision
    if let known = latest.withLock({ $0 }), known.pond.graph.revision == revision { return known }

    let program = Program(definition.snapshot())
    // The replaced program is released outside of the lock, because it holds user code, whose
    // deinitializers may do anything.
    let replaced = latest.withLock { latest -> Program? in
      if let latest, latest.pond.graph.revision >= program.pond.graph.revision { return nil }
      defer { latest = program }
      return latest
    }
    return withExtendedLifetime(replaced) { program }
  }
}

extension Program {
  /// The program for the pond's current state; `self` if the pond has not changed or was released.
  var latest: Program {
    let graph = pond.graph
    return graph.definition.snapshot(ifChangedSince: graph.revision).map(Program.init) ?? self
  }
}
