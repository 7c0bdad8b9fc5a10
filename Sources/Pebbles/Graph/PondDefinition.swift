import Synchronization

/// What has been defined in a pond, behind a lock: names, conditions, bodies.
///
/// Handles and atoms hold on to their definition, not to the pond, and bodies may capture handles.
/// So the definition would keep itself alive through its bodies; the ``Pond`` breaks that circle by
/// calling `discard()` when it goes away. Names stay, for handles and reports that live on.
package final class PondDefinition: Sendable {
  package let pondName: String
  let options: PondOptions
  let state: Mutex<State>

  struct State {
    let names: StableList<String>
    var bodies = StableList<Body>()
    var conditions: ConditionTable
    var needs: [UInt32: ConditionTable.Word] = [:]
    var options: [UInt32: PebbleOptions] = [:]
    var clusters: [PondCluster] = []
    var program: Program?
    var isDiscarded = false

    /// Changes with every change of the definition.
    var revision = 0

    init(names: StableList<String> = StableList(), _ conditions: ConditionTable) {
      self.names = names
      self.conditions = conditions
    }

    mutating func changed() {
      revision += 1
      program = nil
    }
  }

  init(
    pondName: String, _ options: PondOptions = PondOptions(),
    _ conditions: ConditionTable = ConditionTable()
  ) {
    self.pondName = pondName
    self.options = options
    state = Mutex(State(conditions))
  }

  func append(
    _ name: String, needs: Condition?, when condition: Condition, _ options: PebbleOptions?,
    _ body: consuming Body
  ) -> PebbleReference {
    var body = Optional(body)
    let index = state.withLock { state in
      let index = UInt32(state.names.count)
      state.names.append(name)
      state.conditions.append(condition, of: self)
      if let needs { state.needs[index] = state.conditions.pack(needs, of: self) }
      if let options { state.options[index] = options }
      if let body = body.take() { state.bodies.append(body) }
      state.changed()
      return index
    }
    return PebbleReference(definition: self, index: index)
  }

  package func name(at index: Int) -> String {
    state.withLock { $0.names.address(of: index).pointee }
  }

  func condition(at index: Int) -> Condition {
    state.withLock { state in
      state.isDiscarded
        ? .never : state.conditions.condition(state.conditions[index], of: self)
    }
  }

  func setCondition(_ condition: Condition, at index: Int) {
    let replaced: Condition? = state.withLock { state in
      guard !state.isDiscarded else { return nil }
      state.changed()
      return state.conditions.replace(at: index, with: condition, of: self)
    }
    // Released out here: what it captured is user code and may do anything when it goes.
    _ = replaced
  }

  /// Lets go of all that may hold user code. Runs under way have their own snapshot.
  package func discard() {
    let discarded = state.withLock { state in
      let discarded = state
      state = State(names: discarded.names, ConditionTable())
      state.isDiscarded = true
      return discarded
    }
    _ = discarded
  }

  /// A snapshot of the definition.
  package func graph() -> PondGraph {
    state.withLock { graph(of: $0) }
  }

  /// A snapshot of the definition, compiled; the same one until the definition changes.
  ///
  /// - Complexity: O(pebbles + atoms) after a change, else O(1).
  package func program() -> Program {
    let (known, snapshot, bodies, pebbleOptions, revision) = state.withLock { state in
      (state.program, graph(of: state), state.bodies, state.options, state.revision)
    }
    if let known { return known }

    let program = Program(snapshot, bodies: bodies, options: pebbleOptions, options)
    state.withLock { state in
      if state.revision == revision { state.program = program }
    }
    return program
  }

  /// What is known of a snapshot, without its bodies.
  package func compiled() -> CompiledPond { program().pond }

  private func graph(of state: State) -> PondGraph {
    PondGraph(
      definition: self, names: StableSlice(state.names), conditions: state.conditions,
      needs: state.needs, clusters: state.clusters)
  }
}
