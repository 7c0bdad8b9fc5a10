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

  /// - Complexity: O(pebbles + atoms), as long as pebbles share little.
  init(_ storage: RunStorage) {
    let network = storage.pond.network
    var search = DecidingSearch(storage)
    for pebble in 0..<network.pebbleCount {
      guard let path = search.path(to: pebble) else { continue }
      for (gate, operand) in path.operands { add(operand, of: gate) }
    }
    if let goal = network.goal {
      for (gate, operand) in search.path(toGoal: goal) { add(operand, of: gate) }
    }
  }

  private mutating func add(_ operand: OperandIndex.Operand, of gate: Int) {
    gates.insert(gate)
    lines.insert(Line(source: Int(operand.source), row: gate, outcomes: operand.outcomes))
  }

  /// Whether the line from a row of the network to another one decided it.
  func isDeciding(_ source: Int, _ row: Int, _ outcomes: OutcomeSet) -> Bool {
    lines.contains(Line(source: source, row: row, outcomes: outcomes))
  }
}

/// Looks for the ways on which conditions were decided.
private struct DecidingSearch {
  private let state: ReadinessState
  private let operands: OperandIndex

  /// When each gate was decided, in nanoseconds, as far as it was looked at.
  private var times: [Int: UInt64] = [:]

  /// How many operands are looked at until it is enough: many pebbles can share a long condition.
  private var budget = 2_000_000

  init(_ storage: RunStorage) {
    state = storage.state
    operands = storage.pond.operands
  }

  /// The way from what decided the condition of a pebble; `nil` if nothing did yet.
  mutating func path(to pebble: Int) -> DecidingPath? {
    guard budget > 0, hasDecidedCondition(pebble), let cause = state.cause(of: pebble) else {
      return nil
    }
    findTimes(below: pebble)
    // All on the way was decided in one moment; unless two settled at nearly the same time, and
    // arrived in another order than the clock had them.
    return path(from: pebble, to: cause, at: state.finishTime(of: cause))
      ?? path(from: pebble, to: cause, at: nil)
  }

  /// The way from what decided the goal, of which no pebble is noted; empty if nothing did yet.
  mutating func path(toGoal goal: Int) -> [(gate: Int, operand: OperandIndex.Operand)] {
    guard budget > 0, state.value(ofGate: goal) != nil else { return [] }
    findTimes(below: goal)
    var path: [(gate: Int, operand: OperandIndex.Operand)] = []
    var next: Int? = goal
    while let gate = next, let moment = times[goal],
      let operand = decidingOperands(of: gate).first(where: { time(of: $0) == moment })
    {
      path.append((gate, operand))
      let source = Int(operand.source)
      next = state.network.kind(ofRow: source) == .gate ? source : nil
    }
    return path
  }

  private func hasDecidedCondition(_ pebble: Int) -> Bool {
    switch state.status(of: pebble) {
    case .running, .succeeded, .failed, .skippedByCondition: true
    case .waiting, .skippedByStall, .skippedByCancellation, .skippedAsDisabled, .skippedByHolder:
      false
    }
  }

  private mutating func path(
    from pebble: Int, to cause: Int, at moment: UInt64?
  ) -> DecidingPath? {
    var looked = 0
    let path = DecidingPath(from: pebble, to: cause, in: state.network) { gate in
      looked += operands[gate].count
      return decidingOperands(of: gate).filter { operand in
        guard let moment, let time = time(of: operand) else { return true }
        return time == moment
      }
    }
    budget -= looked
    return path
  }

  /// The operands with the value that the gate has; none while that is open. Of a case it is its
  /// pebble, whatever the answer was, for that came with it.
  private func decidingOperands(of gate: Int) -> [OperandIndex.Operand] {
    guard let value = state.value(ofGate: gate) else { return [] }
    if state.network.cases.rows.contains(gate) { return Array(operands[gate]) }
    return operands[gate].filter { state.value(of: $0) == value }
  }

  /// When an operand was decided; `nil` for a gate that has not been looked at.
  private func time(of operand: OperandIndex.Operand) -> UInt64? {
    let source = Int(operand.source)
    return switch state.network.kind(ofRow: source) {
    case .pebble: state.finishTime(of: source)
    case .pebbleCase: state.finishTime(of: state.network.cases[source].pebble)
    case .gate: times[source]
    }
  }

  private mutating func findTimes(below root: Int) {
    var pending = [root]
    while let gate = pending.last, budget > 0 {
      guard times[gate] == nil else {
        pending.removeLast()
        continue
      }
      let deciding = decidingOperands(of: gate)
      budget -= operands[gate].count + 1
      let unknown = deciding.map { Int($0.source) }.filter {
        state.network.kind(ofRow: $0) == .gate && times[$0] == nil
      }
      guard unknown.isEmpty else {
        pending += unknown
        continue
      }
      pending.removeLast()
      let known = deciding.compactMap(time)
      times[gate] = (isDecidedByFirst(gate) ? known.min() : known.max()) ?? 0
    }
  }

  /// Whether one operand was enough: for an AND that is false, and an OR that is true.
  private func isDecidedByFirst(_ gate: Int) -> Bool {
    switch state.network.kinds[gate] {
    case .all: state.value(ofGate: gate) == false
    case .any: state.value(ofGate: gate) == true
    }
  }
}
