/// What made a condition false: an OR is false because of all its operands, an AND because of one,
/// and that is the one that was false first.
///
/// On the way to the pebble that the run has noted as the one that decided it, that is the operand
/// through which this came, see `DecidingPath`. Elsewhere this goes by times, which every run has;
/// `DecisionHistory` goes by the order of settling, which not every run keeps, and knows it of all
/// pebbles at once.
struct FalsifyingClause {
  /// What each pebble was needed to do, in definition order.
  private(set) var atoms: [DecidingClause.Literal] = []

  /// What the false expression is called, if it or the one operand to blame for it has a name.
  private(set) var label: String?

  private let storage: RunStorage
  private let operands: OperandIndex

  /// When each false gate met so far became false, in nanoseconds.
  private var times: [Int: UInt64] = [:]

  /// The way to what decided the condition, if there is one.
  private var path: DecidingPath?

  /// - Complexity: O(atoms of the condition).
  init(ofPebble pebble: Int, _ storage: RunStorage, _ operands: OperandIndex) {
    self.init(
      of: pebble, decidedBy: storage.state.cause(of: pebble),
      at: storage.state.finishTime(of: pebble), storage, operands)
  }

  /// What made the goal of a run false.
  ///
  /// - Complexity: O(atoms of the goal).
  init(ofGoal goal: Int, _ storage: RunStorage, _ operands: OperandIndex) {
    self.init(of: goal, decidedBy: nil, at: .max, storage, operands)
  }

  private init(
    of root: Int, decidedBy cause: Int?, at end: UInt64, _ storage: RunStorage,
    _ operands: OperandIndex
  ) {
    self.storage = storage
    self.operands = operands
    findTimes(below: root)
    path = cause.flatMap { cause in
      DecidingPath(from: root, to: cause, in: storage.pond.network) { gate in
        falseOperands(of: gate).filter { (time(of: $0) ?? 0) <= end }
      }
    }
    let found = DecidingClause(of: root, storage.pond.network) { gate in
      isAnd(gate) ? firstFalse(of: gate).map { [$0] } ?? [] : falseOperands(of: gate)
    }
    label = found.label
    atoms = found.literals
  }

  private mutating func findTimes(below root: Int) {
    var pending = [root]
    while let gate = pending.last {
      let falseOperands = falseOperands(of: gate)
      let unknown = falseOperands.filter { time(of: $0) == nil }.map { Int($0.source) }
      guard unknown.isEmpty else {
        pending += unknown
        continue
      }
      pending.removeLast()
      let known = falseOperands.compactMap(time)
      times[gate] = (isAnd(gate) ? known.min() : known.max()) ?? 0
    }
  }

  private func isAnd(_ gate: Int) -> Bool {
    switch storage.pond.network.kinds[gate] {
    case .all: true
    case .any: false
    }
  }

  private func firstFalse(of gate: Int) -> OperandIndex.Operand? {
    path?.operands[gate]
      ?? falseOperands(of: gate).min { (time(of: $0) ?? 0) < (time(of: $1) ?? 0) }
  }

  private func falseOperands(of gate: Int) -> [OperandIndex.Operand] {
    operands[gate].filter { storage.state.value(of: $0) == false }
  }

  /// When a false operand became false, or `nil` for a gate that is still to be looked at.
  private func time(of operand: OperandIndex.Operand) -> UInt64? {
    let source = Int(operand.source)
    return switch storage.pond.network.kind(ofRow: source) {
    case .pebble: storage.state.finishTime(of: source)
    case .pebbleCase: storage.state.finishTime(of: storage.pond.network.cases[source].pebble)
    case .gate: times[source]
    }
  }
}
