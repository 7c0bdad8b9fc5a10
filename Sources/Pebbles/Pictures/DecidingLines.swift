/// Which lines of a drawn run decided what they lead to: the way from the pebble whose settling
/// decided a condition, made it true or false, to the pebble that has it.
struct DecidingLines {
  /// The gates that such a line leads to.
  private(set) var gates: Set<Int> = []

  private var lines: Set<Line> = []

  /// An edge of the network.
  private struct Line: Hashable {
    let source: Int
    let row: Int
    let outcomes: OutcomeSet
  }

  /// None, for a definition has no lines that decided anything.
  init() {}

  /// - Complexity: O(pebbles + atoms).
  init(_ storage: RunStorage) {
    let network = storage.pond.network
    let history = DecisionHistory(storage.state, storage.pond.operands)
    for pebble in 0..<network.pebbleCount { addWay(to: pebble, history) }
    if let goal = storage.state.goal { addWay(to: goal, history) }
  }

  /// Adds the way from what decided a gate, as far as it is not there yet.
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

  /// The operand that decided a gate, of several the last; of a case it is its pebble, whatever the
  /// answer was, for that came with it.
  private static func decider(
    of gate: Int, _ history: DecisionHistory
  ) -> OperandIndex.Operand? {
    let operands =
      history.state.network.cases.rows.contains(gate)
      ? history.operands[gate] : history.operands(deciding: gate)[...]
    let decider = history.state.decider(ofGate: gate)
    return operands.first { Int($0.source) == decider }
  }

  /// Whether the line from a row of the network to another one decided it.
  func isDeciding(_ source: Int, _ row: Int, _ outcomes: OutcomeSet) -> Bool {
    lines.contains(Line(source: source, row: row, outcomes: outcomes))
  }
}
