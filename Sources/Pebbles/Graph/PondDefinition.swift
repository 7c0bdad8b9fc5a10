import Synchronization

/// What has been defined in a pond, behind a lock: names, conditions, bodies.
///
/// Handles and atoms hold on to their definition, not to the pond, and bodies may capture handles.
/// So the definition would keep itself alive through its bodies; the ``Pond`` breaks that circle by
/// calling `discard()` when it goes away. Names stay, for handles and reports that live on.
package final class PondDefinition: Sendable {
  package let pondName: String
  private let state = Mutex(State())

  private struct State {
    var names: [String] = []
    var conditions: [Condition] = []
    var needs: [UInt32: Condition] = [:]
    var bodies: [Body] = []
    var program: Program?
    var isDiscarded = false

    /// Changes with every change of the definition.
    var revision = 0

    mutating func changed() {
      revision += 1
      program = nil
    }
  }

  init(pondName: String) {
    self.pondName = pondName
  }

  func append(
    _ name: String, needs: Condition?, when condition: Condition, _ body: Body
  )
    -> PebbleReference
  {
    let index = state.withLock { state in
      let index = UInt32(state.names.count)
      state.names.append(name)
      state.conditions.append(condition)
      if let needs { state.needs[index] = needs }
      state.bodies.append(body)
      state.changed()
      return index
    }
    return PebbleReference(definition: self, index: index)
  }

  package func name(at index: Int) -> String {
    state.withLock { $0.names[index] }
  }

  func condition(at index: Int) -> Condition {
    state.withLock { $0.isDiscarded ? .never : $0.conditions[index] }
  }

  func setCondition(_ condition: Condition, at index: Int) {
    let replaced: Condition? = state.withLock { state in
      guard !state.isDiscarded else { return nil }
      let replaced = state.conditions[index]
      state.conditions[index] = condition
      state.changed()
      return replaced
    }
    // Released out here: what it captured is user code and may do anything when it goes.
    _ = replaced
  }

  /// Lets go of all that may hold user code. Runs under way have their own snapshot.
  func discard() {
    let discarded = state.withLock { state in
      let discarded = state
      state = State()
      state.names = discarded.names
      state.isDiscarded = true
      return discarded
    }
    _ = discarded
  }

  /// A snapshot of the definition.
  package func graph() -> PondGraph {
    graph(of: state.withLock { $0 })
  }

  /// A snapshot of the definition, compiled; the same one until the definition changes.
  ///
  /// - Complexity: O(pebbles + atoms) after a change, else O(1).
  func program() -> Program {
    let (snapshot, revision) = state.withLock { ($0, $0.revision) }
    if let program = snapshot.program { return program }

    let program = Program(CompiledPond(graph(of: snapshot)), bodies: snapshot.bodies)
    state.withLock { state in
      if state.revision == revision { state.program = program }
    }
    return program
  }

  /// What is known of a snapshot, without its bodies.
  package func compiled() -> CompiledPond { program().pond }

  private func graph(of state: State) -> PondGraph {
    PondGraph(
      definition: self, names: state.names, conditions: state.conditions, needs: state.needs)
  }
}
