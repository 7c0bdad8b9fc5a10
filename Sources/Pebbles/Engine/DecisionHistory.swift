/// Which pebbles really decided which condition in a run that is over.
///
/// An AND is true because of all its operands, an OR because of the one that was true first; and
/// the other way round if it is false. So of
///
/// ```
/// migrate.ready = database.succeeded && (cache.succeeded || disk.succeeded)
/// ```
///
/// in a run that settled `database`, `disk`, `cache` and `migrate`, in this order, what enabled
/// `migrate` are `database` and `disk`. Of operands that were decided by the same pebble, the one
/// from the lower row of the network counts as first.
///
/// What was first is a matter of the order of settling, but for the pebble that a run has noted as
/// the one that decided a condition: its arrival was first there, whatever the order, see
/// `DecidingPath`.
///
/// Works on the network, where a sub-expression that is used often stands once, and with lists
/// instead of recursion: neither depth nor sharing can make it slow. `FalsifyingClause` is its
/// counterpart for people: it names atoms and labels, for one pebble.
package struct DecisionHistory {
  package let state: ReadinessState
  private let operands: OperandIndex
  private let order: SettleOrder

  /// Gates that were decided before any pebble had run.
  private let gatesDecidedByConstants: Set<Int>

  /// When each inner gate was decided; `undecided` for those that were not.
  private var gatePositions: [UInt32]

  /// Inner gates that were decided, each after those that it was decided by.
  private var decidedGates: [Int] = []

  /// For each inner gate the pebble that decided it last; -1 if there was none.
  private var deciders: [Int]

  /// Gates that were decided by an operand other than the first in the order of settling.
  private var firstArrivals: [Int: OperandIndex.Operand] = [:]

  private static let undecided = UInt32.max

  /// Finds out when every gate was decided.
  ///
  /// - Parameters:
  ///   - state: The state of a run that is over.
  ///   - operands: The operands of the same network.
  ///   - order: The order in which pebbles settled in this run.
  ///   - cause: Which pebble the run has noted for each as the one that decided its condition; if
  ///     not given, as `state` has it.
  /// - Complexity: O(pebbles + atoms), and O(atoms of the condition) more for each pebble that was
  ///   not decided by what was first in the order of settling.
  package init(
    _ state: ReadinessState, _ operands: OperandIndex, _ order: SettleOrder,
    cause: ((Int) -> Int?)? = nil
  ) {
    let network = state.network
    assert(order.pebbles.count == network.pebbleCount)
    self.state = state
    self.operands = operands
    self.order = order
    let dominantConstants = network.constants.lazy.filter { $0.isDominant(.succeeded) }
    gatesDecidedByConstants = Set(dominantConstants.map(\.gate))
    gatePositions = []
    deciders = []
    findPositions()
    findFirstArrivals(cause ?? state.cause(of:))
    guard !firstArrivals.isEmpty else { return }
    findPositions()
    // What is said to have decided a pebble must have settled before it, or there were cycles. No
    // run can be like that, but a record may be.
    if !allSettledAfterDeciders {
      firstArrivals = [:]
      findPositions()
    }
  }

  /// The pebbles whose outcomes really decided the condition of a settled pebble, in definition
  /// order: for one that ran, those that enabled it. They settled before it. Empty for a pebble
  /// without a condition, and for one that was skipped in a cycle or by cancellation.
  ///
  /// - Complexity: O(atoms of the condition).
  package func pebbles(deciding pebble: Int) -> [Int] {
    var pebbles: [Int] = []
    var known: Set<Int> = []
    var pending = rows(deciding: pebble)
    while let row = pending.popLast() {
      guard known.insert(row).inserted else { continue }
      if row < state.pebbleCount {
        pebbles.append(row)
      } else {
        pending += rows(deciding: row)
      }
    }
    return pebbles.sorted()
  }

  /// One step of the same: the rows of the network, be they pebbles or inner gates, that decided a
  /// row. Who wants to know it of all pebbles takes these, for a gate that many
  /// share is then looked at once. A row may be listed twice.
  ///
  /// - Complexity: O(operands of the row).
  package func rows(deciding row: Int) -> [Int] {
    switch state.network.kind(ofRow: row) {
    case .pebbleCase: [state.network.cases[row].pebble]
    case .gate: operands(deciding: row).map { Int($0.source) }
    case .pebble:
      switch state.status(of: row) {
      case .waiting, .skippedByStall, .skippedByCancellation, .skippedAsDisabled, .skippedByHolder:
        []
      case .running, .succeeded, .failed, .skippedByCondition:
        operands(deciding: row).map { Int($0.source) }
      }
    }
  }
}

extension DecisionHistory {
  private mutating func findPositions() {
    let network = state.network
    let gates = network.pebbleCount..<network.gateCount
    gatePositions = Array(repeating: Self.undecided, count: gates.count)
    deciders = Array(repeating: -1, count: gates.count)
    decidedGates = []
    // A case is decided with its pebble, whatever the operands of its row say.
    for row in network.cases.rows where state.value(ofGate: row) != nil {
      let pebble = network.cases[row].pebble
      gatePositions[row - network.pebbleCount] = order.pebbles[pebble]
      deciders[row - network.pebbleCount] = pebble
      decidedGates.append(row)
    }
    for gate in gates where state.value(ofGate: gate) != nil { findPosition(ofGate: gate) }
  }

  /// Finds the pebbles whose deciders are others than those that the run has noted.
  private mutating func findFirstArrivals(_ cause: (Int) -> Int?) {
    for pebble in 0..<state.pebbleCount where isDecidedByCondition(pebble) {
      guard let cause = cause(pebble) else { continue }
      let last = operands(deciding: pebble).max { position(of: $0) < position(of: $1) }
      if let last, decider(ofRow: Int(last.source)) == cause { continue }
      let end = order.pebbles[pebble]
      let path = DecidingPath(from: pebble, to: cause, in: state.network) { gate in
        operandsAgreeing(with: gate).filter { position(of: $0) < end }
      }
      for (gate, operand) in path?.operands ?? [:] where isDominated(gate) {
        firstArrivals[gate] = firstArrivals[gate] ?? operand
      }
    }
  }

  private func isDecidedByCondition(_ pebble: Int) -> Bool {
    switch state.status(of: pebble) {
    case .succeeded, .failed, .skippedByCondition:
      true
    case .waiting, .running, .skippedByStall, .skippedByCancellation, .skippedAsDisabled,
      .skippedByHolder:
      false
    }
  }

  private func decider(ofRow row: Int) -> Int {
    switch state.network.kind(ofRow: row) {
    case .pebble: row
    case .pebbleCase: state.network.cases[row].pebble
    case .gate: deciders[row - state.pebbleCount]
    }
  }

  private var allSettledAfterDeciders: Bool {
    (0..<state.pebbleCount).filter(isDecidedByCondition).allSatisfy { pebble in
      operands(deciding: pebble).allSatisfy { position(of: $0) < order.pebbles[pebble] }
    }
  }

  private mutating func findPosition(ofGate root: Int) {
    var pending = [root]
    while let gate = pending.last {
      // Several gates may have asked for this one.
      guard isUndecided(gate) else {
        pending.removeLast()
        continue
      }
      let agreeing = operandsAgreeing(with: gate)
      let open = agreeing.map { Int($0.source) }.filter { isUndecided($0) }
      guard open.isEmpty else {
        pending += open
        continue
      }
      pending.removeLast()
      let last = operands(deciding: gate).max { position(of: $0) < position(of: $1) }
      gatePositions[gate - state.pebbleCount] = last.map { position(of: $0) } ?? 0
      deciders[gate - state.pebbleCount] = last.map { decider(ofRow: Int($0.source)) } ?? -1
      decidedGates.append(gate)
    }
  }

  private func isUndecided(_ row: Int) -> Bool {
    switch state.network.kind(ofRow: row) {
    case .pebbleCase, .gate: gatePositions[row - state.pebbleCount] == Self.undecided
    case .pebble: false
    }
  }

  /// The same for a gate alone, which may be the root of a pebble: its operands that decided it.
  /// None for a pebble that was decided otherwise.
  ///
  /// - Complexity: O(operands of the gate).
  package func operands(deciding gate: Int) -> [OperandIndex.Operand] {
    let agreeing = operandsAgreeing(with: gate)
    guard isDominated(gate) else { return agreeing }
    if let first = firstArrivals[gate] { return [first] }
    return agreeing.min { position(of: $0) < position(of: $1) }.map { [$0] } ?? []
  }

  /// The operands with the value of the gate: those that could each have decided it alone, or, if
  /// it needed all, all. None if it is undecided or constant.
  private func operandsAgreeing(with gate: Int) -> [OperandIndex.Operand] {
    guard let value = state.value(ofGate: gate), !gatesDecidedByConstants.contains(gate) else {
      return []
    }
    return operands[gate].filter { state.value(of: $0) == value }
  }

  /// Whether one operand was enough to decide the gate: a true one of an OR, a false one of an AND.
  private func isDominated(_ gate: Int) -> Bool {
    switch state.network.kinds[gate] {
    case .all: state.value(ofGate: gate) == false
    case .any: state.value(ofGate: gate) == true
    }
  }

  /// When a decided operand was decided.
  private func position(of operand: OperandIndex.Operand) -> UInt32 {
    let source = Int(operand.source)
    return switch state.network.kind(ofRow: source) {
    case .pebble: order.pebbles[source]
    case .pebbleCase: order.pebbles[state.network.cases[source].pebble]
    case .gate: gatePositions[source - state.pebbleCount]
    }
  }

  /// All rows that were decided, each after those that decided it: pebbles in the order
  /// of the run, and gates right behind what decided them last.
  ///
  /// - Complexity: O(rows).
  package func decidedRows() -> [Int] {
    let network = state.network
    let pebbles = (0..<network.pebbleCount).filter { state.status(of: $0).isSettled }
    var rows = pebbles.map { (row: $0, position: order.pebbles[$0]) }
    rows += decidedGates.map { ($0, gatePositions[$0 - network.pebbleCount]) }

    // Counting sort, which keeps the order of those at one position.
    let last = rows.lazy.map(\.position).max() ?? 0
    var places = [Int](repeating: 0, count: Int(last) + 2)
    for row in rows { places[Int(row.position) + 1] += 1 }
    for position in 0...Int(last) { places[position + 1] += places[position] }
    var sorted = [Int](repeating: 0, count: rows.count)
    for row in rows {
      sorted[places[Int(row.position)]] = row.row
      places[Int(row.position)] += 1
    }
    return sorted
  }

  /// Whether a row was decided when the first positions, up to this one, had been drawn.
  package func isDecided(_ row: Int, upTo position: UInt32) -> Bool {
    switch state.network.kind(ofRow: row) {
    case .pebble: state.status(of: row).isSettled && order.pebbles[row] <= position
    case .pebbleCase, .gate: gatePositions[row - state.pebbleCount] <= position
    }
  }
}
