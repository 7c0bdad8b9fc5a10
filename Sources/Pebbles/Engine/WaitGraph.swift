/// Who waits for whom: the undecided atoms that can still matter, between pebbles.
///
/// An atom below a gate that is already decided does not count: nobody waits for it any more.
struct WaitGraph {
  let state: ReadinessState
  let operands: OperandIndex

  /// The target of a pebble that waits for an evaluation still to be made.
  static let outside = -1

  /// Whether the condition of `pebble` is undecided.
  func isWaiting(_ pebble: Int) -> Bool {
    state.status(of: pebble) == .waiting && state.value(ofGate: pebble) == nil
  }

  /// The unsettled pebbles that `pebble` waits for, each once; those a predicate reads included.
  func targets(of pebble: Int, _ decisions: borrowing Decisions) -> [Int] {
    var targets = Distinct()
    var gates = Distinct()
    gates.insert(pebble)
    var position = 0
    while position < gates.elements.count {
      defer { position += 1 }
      for operand in operands[gates.elements[position]] {
        let source = Int(operand.source)
        switch state.network.kind(ofRow: source) {
        case .pebble:
          if !state.status(of: source).isSettled { targets.insert(source) }
        case .gate:
          if state.value(ofGate: source) == nil { gates.insert(source) }
        case .predicate(let predicate):
          addReads(of: predicate, to: &targets, decisions)
        }
      }
    }
    return targets.elements
  }

  private func addReads(
    of predicate: Int, to targets: inout Distinct, _ decisions: borrowing Decisions
  ) {
    guard !state.isHeld(predicate: predicate) else { return }
    if decisions.predicates.contains(where: { $0.predicate == predicate }) {
      targets.insert(Self.outside)
    }
    for read in state.network.predicateReads[predicate]
    where !state.status(of: Int(read)).isSettled {
      targets.insert(Int(read))
    }
  }

  /// The value of a condition that waits for nothing but predicates, with those counted as false.
  func valueWithPredicatesFalse(of pebble: Int) -> Bool {
    var values: [Int: Bool] = [:]
    var pending = [pebble]
    while let gate = pending.last {
      // What is decided below an undecided gate is neutral there, so only the rest is looked at.
      var undecided: [Int] = []
      var operandValues: [Bool] = []
      for operand in operands[gate] {
        let source = Int(operand.source)
        switch state.network.kind(ofRow: source) {
        case .pebble:
          continue
        case .predicate(let predicate):
          guard !state.isHeld(predicate: predicate) else { continue }
          operandValues.append(operand.outcomes.contains(.failed))
        case .gate:
          guard state.value(ofGate: source) == nil else { continue }
          if let value = values[source] {
            operandValues.append(value)
          } else {
            undecided.append(source)
          }
        }
      }
      guard undecided.isEmpty else {
        pending += undecided
        continue
      }
      pending.removeLast()
      values[gate] =
        state.network.kinds[gate] == .all
        ? operandValues.allSatisfy { $0 } : operandValues.contains(true)
    }
    return values[pebble] ?? false
  }
}

/// What a row of the network stands for.
package enum SourceKind {
  case pebble
  case gate
  case predicate(Int)
}

extension ReadinessNetwork {
  package func kind(ofRow row: Int) -> SourceKind {
    if row < pebbleCount { return .pebble }
    return row < gateCount ? .gate : .predicate(row - gateCount)
  }
}

/// A list without repetitions, in the order of first insertion.
private struct Distinct {
  private(set) var elements: [Int] = []
  private var known: Set<Int> = []

  mutating func insert(_ element: Int) {
    if elements.count < 8 {
      // Most pebbles wait for few: a look along the list beats hashing.
      if !elements.contains(element) { elements.append(element) }
      return
    }
    if known.isEmpty { known = Set(elements) }
    if known.insert(element).inserted { elements.append(element) }
  }
}
