import Pebbles

/// How the pebbles of cycles end, where they wait for each other in cycles: as boolean functions of
/// their bodies and of how the pebbles end that they wait for outside.
///
/// Only the cycles themselves are worked out as diagrams; what leads to them may be as large and as
/// tangled as it likes.
struct CycleOutcomes {
  /// What a variable of the diagram stands for.
  enum Variable {
    case ran(Int), body(Int), activation(Int)
    /// See `CaseChoices`.
    case `case`(Int)
  }

  /// How one pebble of a cycle ends.
  struct Outcome: Equatable {
    let ran: BooleanFunction
    let stalled: BooleanFunction
  }

  private let circuit: Circuit
  private var run: SymbolicRun
  private(set) var variables: [DiagramVariable: Variable] = [:]

  /// By pebble, for those of cycles that have been worked out.
  private(set) var outcomes: [Int: Outcome] = [:]

  /// What was known of each pebble of a cycle before anything happened, and of those outside.
  private var beginnings: [Int: SymbolicPebble] = [:]
  private var outside: [Int: SymbolicPebble] = [:]

  /// Those outside of the cycle that is being worked out that were not outside of another before.
  private var addedOutside: [Int] = []

  /// The rows of each cycle: those of its pebbles and all gates of their conditions.
  private let rows: [[Int]]

  /// How many nodes there were when all cycles had been worked out.
  private var usualNodeCount = 0

  /// How many nodes the diagrams may have, and how many rows the cycles on which it is tried.
  private let mostNodes: Int
  private static let mostRows = 4_000

  /// - Complexity: O(pebbles + atoms) where cycles are small; bounded by the size of the diagrams.
  init(_ model: PondModel, _ circuit: Circuit, mostNodes: Int = 1 << 19) {
    self.circuit = circuit
    self.mostNodes = mostNodes
    run = SymbolicRun(unsettled: model, limit: mostNodes)
    rows = circuit.cycles.map { cycle in
      var known: Set<Int> = []
      return cycle.flatMap { pebble in
        circuit.gates(below: pebble).flatMap { gate in
          // What a case waits for is one of the pebbles, or outside.
          circuit.rows(awaitedBy: gate).filter {
            circuit.network.kind(ofRow: $0) == .pebbleCase
          } + [gate]
        }.filter { known.insert($0).inserted }
      }
    }
    for cycle in circuit.cycles.indices { settle(cycle) }
    usualNodeCount = run.diagram.nodeCount
  }

  /// Leaves the cycle unknown if it does not fit.
  private mutating func settle(_ cycle: Int) {
    guard rows[cycle].count <= Self.mostRows else { return }
    let count = run.diagram.nodeCount
    addedOutside.removeAll(keepingCapacity: true)
    do throws(DiagramLimitReached) {
      try enterOutside(of: cycle)
      for row in rows[cycle] { try addVariables(of: row) }
      try run.iterate(rows[cycle])
      for pebble in circuit.cycles[cycle] {
        outcomes[pebble] = run.pebbles[pebble].map { Outcome(ran: $0.ran, stalled: $0.stalled) }
      }
    } catch {
      for pebble in addedOutside { outside[pebble] = nil }
      run.diagram.forgetNodes(since: count)
    }
  }

  /// Pebbles outside of the cycle end as they like.
  private mutating func enterOutside(of cycle: Int) throws(DiagramLimitReached) {
    for row in rows[cycle] {
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

  /// Computes what a function is worth where variables have values of some kind.
  ///
  /// - Parameters:
  ///   - function: One of the functions of this type.
  ///   - known: The values of nodes by number, to begin with that of node 0, which is true.
  ///   - branch: The value of a node, given its variable and the values of both sides.
  ///   - negate: The opposite of a value.
  /// - Returns: The value; `nil` for a function of another diagram.
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

  // MARK: Without an operand

  /// How much is computed again for all questions about one cycle.
  private static let mostRowsAgain = 40_000

  /// Whether it is worth while to ask about the operands of a cycle.
  func canOmitOperands(in cycle: Int) -> Bool {
    let operandCount = rows[cycle].reduce(0) { $0 + circuit.rows(awaitedBy: $1).count }
    return rows[cycle].count * operandCount <= Self.mostRowsAgain
  }

  /// Where pebbles of a cycle run if a gate has one operand less.
  ///
  /// - Returns: For each pebble that does not run in just the same cases as before, where it runs
  ///   now; `nil` if that could not be worked out.
  mutating func changes(
    in cycle: Int, omitting omission: SymbolicRun.Omission
  ) -> [Int: BooleanFunction]? {
    if run.diagram.nodeCount > mostNodes / 2 {
      run.diagram.forgetNodes(since: usualNodeCount)
    }
    run.omission = omission
    defer { run.omission = nil }
    for row in rows[cycle] {
      run.values[row] = .open
      if circuit.isPebble(row) { run.pebbles[row] = beginnings[row] }
    }
    do throws(DiagramLimitReached) {
      try enterOutside(of: cycle)
      try run.iterate(rows[cycle])
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
