/// The lines that decided their targets in a drawn run. For each decided condition, they form a
/// path that begins at the pebble that decided the condition.
struct DecidingLines {
  /// The gates to which a deciding line leads.
  private(set) var gates: Set<Int> = []

  private var lines: Set<Line> = []

  /// An edge of the network.
  private struct Line: Hashable {
    let source: Int
    let row: Int
    let outcomes: OutcomeSet
  }

  /// Creates an instance without lines, for drawing a definition, in which nothing is decided yet.
  init() {}

  /// Finds the deciding lines of a run.
  ///
  /// - Complexity: O(pebbles + atoms).
  init(_ storage: RunStorage) {
    let network = storage.pond.network
    let history = DecisionHistory(storage.state, storage.pond.operands)
    for pebble in 0..<network.pebbleCount { addWay(to: pebble, history) }
    if let goal = storage.state.goal { addWay(to: goal, history) }
  }

  /// Adds the path that decided a gate, except for the part that has already been added.
  private mutating func addWay(to root: Int, _ history: DecisionHistory) {
    var gate = root
    repeat {
      guard let operand = Self.decider(of: gate, history), gates.insert(gate).inserted else {
        return
      }
      let source = Int(operand.source)
      lines.insert(Line(source: source, row: gate, outcomes: operand.outcomes))
      gate = source
    } while gate >= history.state.pebbleCount
  }

  /// Returns the operand that decided a gate, or `nil` if no operand decided it. If several
  /// operands decided the gate together, returns the one that arrived last. A case is decided when
  /// its pebble settles, even if the case does not hold.
  private static func decider(
    of gate: Int, _ history: DecisionHistory
  ) -> OperandIndex.Operand? {
    let operands =
      history.state.network.cases.rows.contains(gate)
      ? history.operands[gate] : history.operands(deciding: gate)[...]
    let decider = history.state.decider(ofGate: gate)
    return operands.first { Int($0.source) == decider }
  }

  /// Returns whether a line of the network decided the row to which it leads.
  func isDeciding(_ source: Int, _ row: Int, _ outcomes: OutcomeSet) -> Bool {
    lines.contains(Line(source: source, row: row, outcomes: outcomes))
  }
}
