import Pebbles

/// A run of a pond in all scenarios at once.
///
/// What happens in a run that is not cancelled depends only on which bodies succeed, which cases
/// hold and which pebbles are enabled. Each of these is a variable; how a pebble ends is a
/// boolean function of them, kept as a decision diagram. The functions are computed as the engine
/// computes outcomes: the least fixpoint of Kleene's tables over the readiness network, then, where
/// that leaves pebbles undecided, the rule of stalls, then Kleene's tables again.
///
/// That is done for one strongly connected component of the network after the other, each after all
/// it depends on. Nothing outside of a component can change what was found in it: a component of
/// *waiting* pebbles that waits only on itself lies inside of one of these. In a pond without
/// cycles each gate is looked at once.
///
/// **The order of the variables** is the order of that search: depth-first through the conditions,
/// starting at pebbles that no other depends on, as proposed by Malik, Wang, Brayton and
/// Sangiovanni-Vincentelli (*Logic verification using binary decision diagrams in a logic synthesis
/// environment*, 1988) and by Fujita, Fujisawa and Kawato (*Evaluation and improvements of boolean
/// comparison method based on binary decision diagrams*, 1988). It keeps pebbles that belong
/// together next to each other. Those that come later in a run stand nearer to the root: a function
/// is then its predecessors' with a node or two on top, and a chain takes one node a pebble.
package struct SymbolicRun: Sendable {
  package let model: PondModel

  /// Where all functions are.
  package internal(set) var diagram: Diagram

  /// How each pebble ends, in definition order; `nil` where the diagram grew over its limit.
  package internal(set) var pebbles: [SymbolicPebble?]

  /// What each variable decides, by its number.
  package internal(set) var variables: [ScenarioVariable] = []

  /// The value of each gate, by row; `nil` where the diagram grew over its limit.
  package internal(set) var values: [SymbolicValue?]

  /// The variable of each body, by pebble: what runs are given has none. And those of activations,
  /// by pebble.
  package internal(set) var bodies: [DiagramVariable?]
  var others: [Int: DiagramVariable] = [:]

  /// The variables of cases, by row: see `CaseChoices`.
  var choices: [Int: DiagramVariable] = [:]

  /// The variable that says whether a cancellation catches a pebble before it starts, by pebble;
  /// empty in a run that goes on to its end.
  var caught: [Int: DiagramVariable] = [:]

  /// The variable that says whether a pebble still runs when the run is cancelled, by pebble; empty
  /// where nothing waits in cycles: see `CutOff`.
  var late: [Int: DiagramVariable] = [:]

  /// Whether there are to be such variables.
  private let isCancelled: Bool

  /// All rows, those that a row waits for before it, as far as there are no cycles.
  private(set) var order: [Int] = []

  /// Whether rows wait for each other.
  private(set) var hasCycles = false

  /// An operand that its gate is to do without.
  var omission: Omission?

  /// What each row waits for.
  private let allOperands: OperandIndex

  /// Operands of gates that are constants.
  let constants: [Int: [Bool]]

  /// Runs all scenarios.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - limit: How many nodes the diagram may have. Pebbles whose functions do not fit stay
  ///     unknown, and with them those that depend on them; all others are exact.
  ///   - isCancelled: Whether there are to be variables for what a cancellation catches. They
  ///     change nothing in how a run ends that goes on: see `CancelledScenarios`.
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

  /// A run in which nothing is known yet, for those who settle parts of it.
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

  /// Pebbles that no other depends on.
  private static func sinks(of network: ReadinessNetwork) -> [Int] {
    (0..<network.pebbleCount).filter { pebble in
      network.offsets[pebble] == network.offsets[pebble + 1]
    }
  }

  /// The rows that a row depends on.
  func sources(of row: Int) -> [Int] { operands(of: row).map { Int($0.source) } }

  func operands(of row: Int) -> ArraySlice<OperandIndex.Operand> {
    var operands = allOperands[row]
    if let omission, omission.gate == row {
      operands.remove(at: operands.startIndex + omission.place)
    }
    return operands
  }

  /// An operand of a gate, by its place there.
  struct Omission {
    let gate: Int
    let place: Int
  }

  var pebbleCount: Int { model.pond.network.pebbleCount }

  /// Whether pebbles are skipped in a stall in some scenario, as far as is known.
  var hasStalls: Bool { pebbles.contains { $0.map { $0.stalled != .never } ?? false } }

  /// Gives a row its variables.
  mutating func addVariables(of row: Int) {
    switch model.pond.network.kind(ofRow: row) {
    case .pebbleCase, .gate: return
    case .pebble:
      if model.isOptional(at: row) { others[row] = addVariable(.activation(row)) }
      let isGiven = model.isGiven(at: row)
      if !isGiven { bodies[row] = addVariable(.body(row)) }
      addCaseVariables(of: row)
      // Beside the one that says how it ends: what they decide belongs together.
      guard isCancelled, !isGiven else { return }
      caught[row] = addVariable(.caught(row))
      if hasCycles { late[row] = addVariable(.late(row)) }
    }
  }

  mutating func addVariable(_ meaning: ScenarioVariable) -> DiagramVariable {
    variables.append(meaning)
    return diagram.addVariable()
  }

  /// Settles a component, or leaves it unknown.
  private mutating func settle(_ component: ArraySlice<Int>) {
    guard !diagram.isExhausted, let row = component.first else { return }
    let count = diagram.nodeCount
    do throws(DiagramLimitReached) {
      let sources = component.flatMap { self.sources(of: $0) }
      if component.count == 1, !sources.contains(row) {
        // What is unknown makes unknown what depends on it.
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
