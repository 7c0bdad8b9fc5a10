import Synchronization

/// The definition of a pond, with its names, conditions and bodies, protected by a lock.
///
/// Handles and atoms hold their definition, not the pond, and bodies may capture handles. The
/// definition would therefore keep itself alive through its bodies. The ``Pond`` breaks this cycle
/// by calling `discard()` when the pond is released. Names are kept, because handles and reports
/// may outlive the pond.
@usableFromInline
package final class PondDefinition: Sendable {
  package let pondName: String
  let state: Mutex<State>

  /// The definitions from which this definition was copied, in copying order; usually empty.
  let originals: [OriginalDefinition]

  struct State {
    let names: StableList<String>
    var bodies = StableList<Body>()
    var conditions: ConditionTable
    var needs: [UInt32: ConditionTable.Word] = [:]
    var options: [UInt32: PebbleOptions] = [:]
    var clusters: [PondCluster] = []
    var cases: [UInt32: CaseQuestions] = [:]
    var goal: Condition?
    fileprivate(set) var pondOptions = PondOptions()
    var isDiscarded = false

    /// A number that changes with every change to the definition.
    var revision = 0

    init(names: StableList<String> = StableList(), _ conditions: ConditionTable) {
      self.names = names
      self.conditions = conditions
    }
  }

  convenience init(
    pondName: String, _ options: PondOptions = PondOptions(),
    _ conditions: ConditionTable = ConditionTable()
  ) {
    self.init(pondName: pondName, options, State(conditions), originals: [])
  }

  init(
    pondName: String, _ options: PondOptions, _ state: State, originals: [OriginalDefinition]
  ) {
    var state = state
    state.pondOptions = options
    self.pondName = pondName
    self.state = Mutex(state)
    self.originals = originals
  }

  /// Appends a pebble. This method does not check anything: duplicate names and other faults are
  /// found when the definition is compiled to a ``Program``.
  @inline(__always)
  func append(
    _ name: String, needs: Condition?, when condition: borrowing Condition,
    _ options: PebbleOptions?, _ body: consuming Body
  ) -> PebbleReference {
    var body = Optional(body)
    let index = state.withLock { state in
      let index = state.names.count
      let place = StableListPlace(of: index)
      state.names.append(name, at: place)
      if let body = body.take() { state.bodies.append(body, at: place) }
      state.conditions.append(condition, of: self)
      if let needs {
        state.needs[UInt32(index)] = state.conditions.pack(needs, of: self)
      }
      if let options { state.options[UInt32(index)] = options }
      state.revision += 1
      return UInt32(truncatingIfNeeded: index)
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
    let replaced: Condition.Expression? = state.withLock { state in
      guard !state.isDiscarded else { return nil }
      state.revision += 1
      return state.conditions.replace(at: index, with: condition, of: self)
    }
    // Released outside of the lock: the condition may have captured user code, and releasing it may
    // run arbitrary code.
    _ = replaced
  }

  var goal: Condition? { state.withLock(\.goal) }

  package func setGoal(_ goal: Condition?) {
    let goal = goal?.tree
    let replaced: Condition? = state.withLock { state in
      guard !state.isDiscarded else { return nil }
      defer { state.goal = goal }
      state.revision += 1
      return state.goal
    }
    // Released outside of the lock, as in `setCondition`.
    _ = replaced
  }

  /// Releases everything that may hold user code. Runs in progress have their own snapshots.
  package func discard() {
    let discarded = state.withLock { state in
      let discarded = state
      state = State(names: discarded.names, ConditionTable())
      // The names of cases stay, like the names of pebbles.
      state.cases = discarded.cases.mapValues { CaseQuestions($0.list) }
      state.isDiscarded = true
      state.revision = discarded.revision + 1
      return discarded
    }
    _ = discarded
  }

  /// A number that shows whether the definition has changed since a snapshot was taken.
  var revision: Int { state.withLock(\.revision) }

  /// Returns a snapshot of the definition if it has changed since a given revision. Returns `nil`
  /// if it has not changed, or if its pond has been released.
  func snapshot(ifChangedSince revision: Int) -> DefinitionSnapshot? {
    // In one critical section, so that the pond cannot be released in between.
    state.withLock { state in
      state.revision != revision && !state.isDiscarded ? snapshot(of: state) : nil
    }
  }

  /// Returns a snapshot of the definition as it is now.
  ///
  /// - Complexity: O(1). The first change to the definition while the snapshot exists copies the
  ///   data that is changed.
  func snapshot() -> DefinitionSnapshot {
    state.withLock { snapshot(of: $0) }
  }

  private func snapshot(of state: State) -> DefinitionSnapshot {
    DefinitionSnapshot(
      definition: self, revision: state.revision, names: StableSlice(state.names),
      bodies: state.bodies, conditions: state.conditions, needs: state.needs,
      options: state.options, clusters: state.clusters, cases: state.cases,
      goal: state.goal, pondOptions: state.pondOptions)
  }
}

/// The complete state of a definition at one moment.
struct DefinitionSnapshot {
  let definition: PondDefinition
  let revision: Int
  let names: StableSlice<String>

  /// The bodies of the pebbles. Because the definition shares this list, it may also contain bodies
  /// of pebbles that were added after the snapshot was taken.
  let bodies: StableList<Body>
  let conditions: ConditionTable
  let needs: [UInt32: ConditionTable.Word]
  let options: [UInt32: PebbleOptions]
  let clusters: [PondCluster]
  let cases: [UInt32: CaseQuestions]
  let goal: Condition?
  let pondOptions: PondOptions
}

/// The options of a pond beyond its pebbles.
package struct PondOptions: Sendable {
  package var maxConcurrent: Int?
  package var onFailure = FailurePolicy.ignore

  /// The `around` code that wraps every attempt, outermost first.
  var around: [Around] = []
}
