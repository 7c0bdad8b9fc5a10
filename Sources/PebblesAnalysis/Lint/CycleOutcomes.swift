import Pebbles

/// The outcomes of pebbles that wait for each other in cycles. The outcomes in a cycle are Boolean
/// functions of the bodies in that cycle, and of the outcomes of all pebbles outside the cycle.
///
/// The diagrams represent only the cycles, so their size does not depend on the rest of the pond.
struct CycleOutcomes {
  /// The meaning of a variable of the diagram.
  enum Variable {
    case ran(Int), body(Int), activation(Int)
    /// A variable that is true if a case is chosen; see `CaseChoices`.
    case `case`(Int)
  }

  /// The scenarios in which one pebble of a cycle runs, and those in which it stalls.
  struct Outcome: Equatable {
    let ran: BooleanFunction
    let stalled: BooleanFunction
  }

  private let circuit: Circuit
  private var run: SymbolicRun
  private(set) var variables: [DiagramVariable: Variable] = [:]

  /// The outcomes of the pebbles whose cycles have been computed, keyed by pebble.
  private(set) var outcomes: [Int: Outcome] = [:]

  /// The initial functions of the pebbles in cycles, keyed by pebble. The outcomes are computed
  /// from these functions.
  private var beginnings: [Int: SymbolicPebble] = [:]
  private var outside: [Int: SymbolicPebble] = [:]

  /// The pebbles that were added to `outside` for the cycle being computed.
  private var addedOutside: [Int] = []

  /// The number of nodes in the diagram after the initial computation of all cycles.
  private var usualNodeCount = 0

  /// The maximum number of nodes in the diagram. Cycles with more than `mostRows` rows are not
  /// computed.
  private let mostNodes: Int
  private static let mostRows = 4_000

  /// Creates an instance by computing the outcomes of all cycles that are small enough.
  ///
  /// - Complexity: O(pebbles + atoms) if cycles are small; otherwise, bounded by the size of the
  ///   diagrams.
  init(_ model: PondModel, _ circuit: Circuit, mostNodes: Int = 1 << 19) {
    self.circuit = circuit
    self.mostNodes = mostNodes
    run = SymbolicRun(unsettled: model, limit: mostNodes)
    for cycle in circuit.cycles.indices { settle(cycle) }
    usualNodeCount = run.diagram.nodeCount
  }

  /// Computes the outcomes of a cycle. The outcomes stay unknown if the cycle is too large, or if
  /// the diagram would become too large.
  private mutating func settle(_ cycle: Int) {
    guard circuit.cycleRows[cycle].count <= Self.mostRows else { return }
    let count = run.diagram.nodeCount
    addedOutside.removeAll(keepingCapacity: true)
    do throws(DiagramLimitReached) {
      try enterOutside(of: cycle)
      for row in circuit.cycleRows[cycle] { try addVariables(of: row) }
      try run.iterate(circuit.cycleRows[cycle])
      for pebble in circuit.cycles[cycle] {
        outcomes[pebble] = run.pebbles[pebble].map { Outcome(ran: $0.ran, stalled: $0.stalled) }
      }
    } catch {
      for pebble in addedOutside { outside[pebble] = nil }
      run.diagram.forgetNodes(since: count)
    }
  }

  /// Assigns functions to the pebbles that a cycle waits for but does not contain. The functions
  /// allow each of these pebbles to end in any way.
  private mutating func enterOutside(of cycle: Int) throws(DiagramLimitReached) {
    for row in circuit.cycleRows[cycle] {
      for pebble in circuit.rows(awaitedBy: row)
      where circuit.isPebble(pebble) && circuit.cycle(of: pebble) != cycle {
        if outside[pebble] == nil {
          outside[pebble] = try freePebble(pebble)
          addedOutside.append(pebble)
        }
        run.pebbles[pebble] = outside[pebble]
      }
    }
  }

  private mutating func freePebble(_ pebble: Int) throws(DiagramLimitReached) -> SymbolicPebble {
    let body = run.diagram.addVariable()
    let ran = run.diagram.addVariable()
    variables[body] = .body(pebble)
    variables[ran] = .ran(pebble)
    var free = SymbolicPebble()
    let succeeds = try run.diagram.function(of: body)
    free.ran = try run.diagram.function(of: ran)
    free.skipped = !free.ran
    free.succeeded = try run.diagram.and(free.ran, succeeds)
    free.failed = try run.diagram.and(free.ran, !succeeds)
    addCaseVariables(of: pebble)
    return free
  }

  private mutating func addVariables(of row: Int) throws(DiagramLimitReached) {
    run.addVariables(of: row)
    try run.begin(row)
    guard circuit.isPebble(row) else { return }
    beginnings[row] = run.pebbles[row]
    if let body = run.bodies[row] { variables[body] = .body(row) }
    noteCaseVariables(of: row)
    if let disabled = run.pebbles[row]?.disabled, !disabled.isConstant {
      let level = run.diagram.nodes[disabled.node].level
      variables[DiagramVariable(level: level)] = .activation(row)
    }
  }

  private mutating func addCaseVariables(of pebble: Int) {
    run.addCaseVariables(of: pebble)
    noteCaseVariables(of: pebble)
  }

  private mutating func noteCaseVariables(of pebble: Int) {
    for row in circuit.network.cases.rows(of: pebble) {
      if let variable = run.choices[row] { variables[variable] = .case(row) }
    }
  }

  // MARK: Reading

  /// Returns the value of a function, computed from the values of its variables.
  ///
  /// - Parameters:
  ///   - function: A function that was obtained from this instance.
  ///   - known: The known values of nodes, keyed by the number of the node. The value of node 0,
  ///     the node that is always true, must be included. This call adds the values it computes.
  ///   - branch: A closure that returns the value of a node, given its variable and the values of
  ///     both branches.
  ///   - negate: A closure that negates a value.
  /// - Returns: The value; `nil` if the function belongs to another diagram.
  func value<Value>(
    of function: BooleanFunction, known: inout [Int: Value],
    branch: (Variable, _ low: Value, _ high: Value) -> Value, negate: (Value) -> Value
  ) -> Value? {
    func value(_ function: BooleanFunction) -> Value? {
      known[function.node].map { function.isNegated ? negate($0) : $0 }
    }
    var pending = [function.node]
    while let number = pending.last {
      if known[number] != nil {
        pending.removeLast()
        continue
      }
      let node = run.diagram.nodes[number]
      guard let low = value(node.low), let high = value(node.high) else {
        pending += [node.low.node, node.high.node].filter { known[$0] == nil }
        continue
      }
      guard let variable = variables[DiagramVariable(level: node.level)] else { return nil }
      known[number] = branch(variable, low, high)
    }
    return value(function)
  }

  // MARK: Omitting operands

  /// The maximum amount of work for recomputing a cycle once for each of its operands, with that
  /// operand left out. The work is the number of rows times the number of operands.
  private static let mostOmissionWork = 40_000

  /// Returns whether a cycle is small enough to be recomputed once for each of its operands, with
  /// that operand left out.
  func canOmitOperands(in cycle: Int) -> Bool {
    let operandCount = circuit.cycleRows[cycle].reduce(0) { $0 + circuit.rows(awaitedBy: $1).count }
    return circuit.cycleRows[cycle].count * operandCount <= Self.mostOmissionWork
  }

  /// Returns the changes to a cycle that result from leaving out an operand of a gate.
  ///
  /// - Returns: For each pebble whose scenarios change, a function that is true in the scenarios in
  ///   which the pebble now runs; `nil` if these functions could not be computed.
  mutating func changes(
    in cycle: Int, omitting omission: SymbolicRun.Omission
  ) -> [Int: BooleanFunction]? {
    if run.diagram.nodeCount > mostNodes / 2 {
      run.diagram.forgetNodes(since: usualNodeCount)
    }
    run.omission = omission
    defer { run.omission = nil }
    for row in circuit.cycleRows[cycle] {
      run.values[row] = .open
      if circuit.isPebble(row) { run.pebbles[row] = beginnings[row] }
    }
    do throws(DiagramLimitReached) {
      try enterOutside(of: cycle)
      try run.iterate(circuit.cycleRows[cycle])
      var changes: [Int: BooleanFunction] = [:]
      for pebble in circuit.cycles[cycle] {
        guard let now = run.pebbles[pebble]?.ran else { return nil }
        if now != outcomes[pebble]?.ran { changes[pebble] = now }
      }
      return changes
    } catch {
      run.diagram.forgetNodes(since: usualNodeCount)
      return nil
    }
  }
}
