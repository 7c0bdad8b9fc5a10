import Pebbles

/// A run of a pond in all scenarios at once.
///
/// The course of a run that is not cancelled depends only on which bodies succeed, which cases hold
/// and which pebbles are enabled. Each of these facts is a variable. The outcome of a pebble is a
/// Boolean function of the variables, stored as a decision diagram. The functions are computed the
/// way the engine computes outcomes, that is, as the least fixpoint of Kleene's tables over the
/// readiness network. If pebbles remain undecided, the stall rule is applied, and then Kleene's
/// tables are applied again.
///
/// The strongly connected components of the network are settled one after another, each after the
/// components on which it depends. A component can be settled before the components that depend on
/// it, because pebbles that wait only for each other are always in the same component. In a pond
/// without cycles, each gate is visited once.
///
/// **The order of the variables** is the order of a depth-first search through the conditions. The
/// search starts at pebbles that no other pebble depends on, as proposed by Malik, Wang, Brayton
/// and Sangiovanni-Vincentelli (*Logic verification using binary decision diagrams in a logic
/// synthesis environment*, 1988) and by Fujita, Fujisawa and Kawato (*Evaluation and improvements
/// of boolean comparison method based on binary decision diagrams*, 1988). This order places
/// related pebbles next to each other. Pebbles that come later in a run are nearer to the root.
/// Their functions add one or two nodes on top of their predecessors' functions, and a chain takes
/// one node per pebble.
package struct SymbolicRun: Sendable {
  package let model: PondModel

  /// The diagram of all functions.
  package internal(set) var diagram: Diagram

  /// The outcome of each pebble, in definition order; `nil` if it does not fit in the diagram.
  package internal(set) var pebbles: [SymbolicPebble?]

  /// The facts that the variables represent, indexed by variable number.
  package internal(set) var variables: [ScenarioVariable] = []

  /// The value of each gate, indexed by row; `nil` if the value does not fit in the diagram.
  package internal(set) var values: [SymbolicValue?]

  /// The variables of the bodies, indexed by pebble; `nil` for a pebble whose output is given to
  /// each run, because it has no body.
  package internal(set) var bodies: [DiagramVariable?]
  /// The variables of optional pebbles, keyed by pebble; true if the pebble is enabled.
  var activations: [Int: DiagramVariable] = [:]

  /// The variables of cases, keyed by row; see `CaseChoices`.
  var choices: [Int: DiagramVariable] = [:]

  /// The variables for pebbles that a cancellation prevents from starting, keyed by pebble; empty
  /// if the run has no variables for cancellations. A variable is true if the pebble is ready, but
  /// is prevented from starting.
  var caught: [Int: DiagramVariable] = [:]

  /// The variables for pebbles that are late, keyed by pebble; empty if the run has no variables
  /// for cancellations, or the pond has no cycles. A variable is true if the pebble is still
  /// running when the run is cancelled. See `CutOff`.
  var late: [Int: DiagramVariable] = [:]

  /// Whether the run has variables for cancellations.
  private let isCancelled: Bool

  /// All rows, each after the rows it waits for, except inside cycles.
  private(set) var order: [Int] = []

  /// Whether any row waits for itself, directly or through others.
  private(set) var hasCycles = false

  /// The operand that is left out of its gate; `nil` if no operand is left out.
  var omission: Omission?

  /// The operands of each row.
  private let allOperands: OperandIndex

  /// The constant operands of gates, keyed by gate.
  let constants: [Int: [Bool]]

  /// Creates a run and settles it in all scenarios.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - limit: The maximum number of nodes in the diagram. Pebbles whose functions do not fit stay
  ///     unknown, and so do pebbles that depend on them; all others are exact.
  ///   - isCancelled: Whether to add variables for cancellations. These variables do not change the
  ///     outcomes of a run that is not cut off; see `CancelledScenarios`.
  package init(_ model: PondModel, limit: Int, isCancelled: Bool = false) {
    self.init(unsettled: model, limit: limit, isCancelled: isCancelled)
    let network = model.pond.network
    let operands = allOperands
    var search = StronglyConnectedComponents(nodeCount: network.rowCount)
    search.search(from: 0..<network.rowCount)
    search.search(from: Self.sinks(of: network))
    var components: [Range<Int>] = []
    // Rows get their variables in the order in which the search leaves them.
    var rows: [Int] = []
    func source(of row: Int, at place: Int) -> Int? {
      let source = operands.source(of: row, at: place)
      if source == nil { rows.append(row) }
      return source
    }
    while let component = search.next(along: source) {
      if component.count > 1 || readsItself(search.members[component]) { hasCycles = true }
      components.append(component)
    }
    for row in rows { addVariables(of: row) }
    order = rows
    AnalysisProgress.begin("pebbles followed", of: pebbleCount)
    var followed = 0
    for component in components {
      let members = search.members[component]
      settle(members)
      followed += members.count { $0 < pebbleCount }
      AnalysisProgress.reach(followed)
    }
  }

  private func readsItself(_ component: ArraySlice<Int>) -> Bool {
    component.contains { sources(of: $0).contains($0) }
  }

  /// Creates a run in which nothing is settled yet, for callers that settle only parts of the run.
  init(unsettled model: PondModel, limit: Int, isCancelled: Bool = false) {
    self.model = model
    self.isCancelled = isCancelled
    diagram = Diagram(nodeLimit: limit)
    allOperands = model.pond.operands
    let network = model.pond.network
    pebbles = Array(repeating: nil, count: network.pebbleCount)
    bodies = Array(repeating: nil, count: network.pebbleCount)
    values = Array(repeating: nil, count: network.rowCount)
    constants = Dictionary(grouping: network.constants, by: \.gate)
      .mapValues { $0.map { $0.outcomes.contains(.succeeded) } }
  }

  /// Returns the pebbles without edges, that is, the pebbles that have no cases and that no
  /// condition or goal mentions.
  private static func sinks(of network: ReadinessNetwork) -> [Int] {
    (0..<network.pebbleCount).filter { pebble in
      network.offsets[pebble] == network.offsets[pebble + 1]
    }
  }

  /// Returns the rows that a row depends on.
  func sources(of row: Int) -> [Int] { operands(of: row).map { Int($0.source) } }

  func operands(of row: Int) -> ArraySlice<OperandIndex.Operand> {
    var operands = allOperands[row]
    if let omission, omission.gate == row {
      operands.remove(at: operands.startIndex + omission.place)
    }
    return operands
  }

  /// An operand of a gate, identified by its index among the operands of that gate.
  struct Omission {
    let gate: Int
    let place: Int
  }

  var pebbleCount: Int { model.pond.network.pebbleCount }

  /// Whether any pebble is known to be skipped by a stall in some scenario.
  var hasStalls: Bool { pebbles.contains { $0.map { $0.stalled != .never } ?? false } }

  /// Adds the variables of a row.
  mutating func addVariables(of row: Int) {
    switch model.pond.network.kind(ofRow: row) {
    case .pebbleCase, .gate: return
    case .pebble:
      if model.isOptional(at: row) { activations[row] = addVariable(.activation(row)) }
      let isGiven = model.isGiven(at: row)
      if !isGiven { bodies[row] = addVariable(.body(row)) }
      addCaseVariables(of: row)
      // These variables are next to the variable of the body, because they are about the same
      // pebble.
      guard isCancelled, !isGiven else { return }
      caught[row] = addVariable(.caught(row))
      if hasCycles { late[row] = addVariable(.late(row)) }
    }
  }

  mutating func addVariable(_ meaning: ScenarioVariable) -> DiagramVariable {
    variables.append(meaning)
    return diagram.addVariable()
  }

  /// Settles a component, or leaves it unknown if the diagram would be too large.
  private mutating func settle(_ component: ArraySlice<Int>) {
    guard !diagram.isExhausted, let row = component.first else { return }
    let count = diagram.nodeCount
    do throws(DiagramLimitReached) {
      let sources = component.flatMap { self.sources(of: $0) }
      if component.count == 1, !sources.contains(row) {
        // A row that depends on an unknown row is unknown, too.
        guard sources.allSatisfy(isKnown) else { return }
        try begin(row)
        try update(row)
      } else {
        let members = Set(component)
        guard sources.allSatisfy({ members.contains($0) || isKnown($0) }) else { return }
        try settleCycle(Array(component))
      }
    } catch {
      diagram.forgetNodes(since: count)
      for row in component {
        values[row] = nil
        if row < pebbleCount { pebbles[row] = nil }
      }
    }
  }

  private func isKnown(_ row: Int) -> Bool {
    row < pebbleCount ? pebbles[row] != nil : values[row] != nil
  }
}
