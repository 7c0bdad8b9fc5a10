import Pebbles

/// The rule about idle parts of conditions: OR branches that are never true, and redundant
/// operands. Leaving out a redundant operand does not change the value of the condition in any
/// scenario.
///
/// An operand matters in a scenario if the other operands of its gate, and of all gates above that
/// gate, leave the decision to the operand. For example, an operand of an AND inside an OR matters
/// if the other operands of the AND are true and the other operands of the OR are false. An operand
/// is redundant if it has the neutral value in every scenario in which it matters. The neutral
/// value is true in an AND and false in an OR. (In circuits, this is a stuck-at fault that no test
/// can detect; Roth, *Diagnosis of automata failures*, 1966.)
///
/// Operands that affect when the pebble starts are not reported. For example, `load.completed` may
/// be true in every scenario and still delay the pebble. An operand is therefore reported only if
/// all pebbles that it mentions have settled by the time the other operands let the pebble start.
/// If the pond has a failure policy, operands that make the pebble a handler of a failure are not
/// reported either.
extension Lint {
  /// A gate to examine, together with its operands and the operands of the gates above it.
  struct Place {
    let gate: Int

    /// The facts that must hold for the gate to matter.
    var requiredFacts: [Fact] = []

    /// The other operands of all ANDs that contain the gate, directly or through other gates. The
    /// gate has an effect only if these operands are true.
    var conjuncts: [Signal] = []

    /// The operands of the gate, except those already found to be idle.
    var operands: [Signal] = []
  }

  mutating func findIdleParts() {
    var sharedGates: Set<Int> = []
    AnalysisProgress.begin("conditions looked at", of: pebbles.count)
    for pebble in pebbles where !dead.contains(pebble) && !alwaysTrue.contains(pebble) {
      AnalysisProgress.reach(pebble)
      var pending = [Place(gate: pebble)]
      while var place = pending.popLast() {
        // Once a redundant operand is removed, operands that were redundant before may be needed.
        // This does not apply to operands further inside.
        if removeIdleOperands(of: &place, in: pebble) { pending.removeAll() }
        for index in place.operands.indices where circuit.isGate(place.operands[index].source) {
          let gate = place.operands[index].source
          if circuit.network.edges(from: gate).count == 1 {
            if place.requiredFacts.count + place.operands.count > Self.mostFacts {
              space.giveUp()
            } else {
              pending.append(self.place(of: gate, at: index, in: place))
            }
          } else if sharedGates.insert(gate).inserted {
            // An expression that several conditions share is examined once, without its context.
            pending.append(Place(gate: gate))
          }
        }
      }
    }
  }

  func place(of gate: Int, at index: Int, in place: Place) -> Place {
    var inner = Place(gate: gate)
    inner.requiredFacts = place.requiredFacts + others(index, of: place)
    inner.conjuncts = place.conjuncts
    if circuit.network.kinds[place.gate] == .all {
      for other in place.operands.indices where other != index {
        inner.conjuncts.append(place.operands[other])
      }
    }
    return inner
  }

  /// Returns the facts under which the operand at `index` alone determines the value of its gate.
  private func others(_ index: Int, of place: Place) -> [Fact] {
    let isAll = circuit.network.kinds[place.gate] == .all
    if circuit.constants(of: place.gate).contains(!isAll) { return [.impossible] }
    return place.operands.indices.filter { $0 != index }.map {
      .signal(isAll ? place.operands[$0] : !place.operands[$0])
    }
  }

  /// Reports the idle operands of a gate and removes them.
  ///
  /// - Returns: Whether any redundant operand was removed.
  private mutating func removeIdleOperands(of place: inout Place, in pebble: Int) -> Bool {
    place.operands = Array(circuit.signals(of: place.gate))
    let isAll = circuit.network.kinds[place.gate] == .all
    guard place.operands.count <= Self.mostOperands else {
      space.giveUp()
      return false
    }
    if !isAll { removeUnreachableBranches(of: &place, in: pebble) }
    if let cycle = circuit.cycle(of: pebble) {
      findRedundantOperand(of: place, of: pebble, in: cycle)
      return false
    }

    var inputs = place.gate == pebble ? model.pond.graph.inputs(of: pebble) : []
    var index = 0
    var hasRedundancy = false
    while index < place.operands.count {
      let operand = place.operands[index]
      if let input = inputs.firstIndex(of: operand) {
        // The body needs its inputs, whatever else the condition says.
        inputs.remove(at: input)
        index += 1
      } else if isRedundant(at: index, in: place),
        !affectsStart(at: index, in: place, of: pebble),
        keepsHandling(without: operand, of: place.gate)
      {
        place.operands.remove(at: index)
        hasRedundancy = true
        reportRedundant(operand, in: place, of: pebble)
      } else {
        index += 1
      }
    }
    return hasRedundancy
  }

  /// Reports at most one redundant operand of a gate in a cycle.
  ///
  /// The outcome of a pebble in a cycle affects its own condition, so the whole cycle is computed
  /// again without the operand. At most one operand is reported for each cycle, because others may
  /// be needed once that operand is removed.
  private mutating func findRedundantOperand(of place: Place, of pebble: Int, in cycle: Int) {
    guard !finishedCycles.contains(cycle) else { return }
    guard space.canOmitOperands(in: cycle) else {
      if space.isKnown(cycle: cycle) { space.giveUp() }
      finishedCycles.insert(cycle)
      return
    }
    let all = Array(circuit.signals(of: place.gate))
    var inputs = place.gate == pebble ? model.pond.graph.inputs(of: pebble) : []
    for (number, operand) in all.enumerated() {
      if let input = inputs.firstIndex(of: operand) {
        inputs.remove(at: input)
        continue
      }
      guard let index = place.operands.firstIndex(of: operand) else { continue }
      let omission = SymbolicRun.Omission(gate: place.gate, place: number)
      guard space.isRedundant(omission, in: cycle),
        !affectsStart(at: index, in: place, of: pebble),
        keepsHandling(without: operand, of: place.gate)
      else { continue }
      finishedCycles.insert(cycle)
      var rest = place
      rest.operands.remove(at: index)
      return reportRedundant(operand, in: rest, of: pebble)
    }
  }

  /// The maximum number of facts that may be used to check a gate. The facts are the other operands
  /// of the gates that contain the checked gate, directly or through other gates.
  private static var mostFacts: Int { 1_000 }

  /// The maximum number of operands to compare with each other in one gate.
  private static var mostOperands: Int { 1_000 }

  // MARK: Unreachable branches

  private mutating func removeUnreachableBranches(of place: inout Place, in pebble: Int) {
    var facts = place.conjuncts.map(Fact.signal)
    if circuit.cycle(of: pebble) != nil { facts.append(.stalls(pebble, false)) }
    var reachable: [Signal] = []
    for operand in place.operands {
      if space.find(facts + [.signal(operand)]).isImpossible {
        reportUnreachable(operand, facts, of: place.gate, in: pebble)
      } else {
        reachable.append(operand)
      }
    }
    place.operands = reachable
  }

  private mutating func reportUnreachable(
    _ operand: Signal, _ facts: [Fact], of gate: Int, in pebble: Int
  ) {
    // Each cause is one finding. This branch is impossible only because a pebble never runs, which
    // has been reported.
    if !dead.isEmpty, !space.find(facts + [freed(operand)]).isImpossible { return }
    guard keepsHandling(without: operand, of: gate) else { return }
    redundantOperands.insert(.init(gate: gate, signal: operand))
    let name = wording.name(pebble)
    let alone = facts.isEmpty || space.find(.signal(operand)).isImpossible
    let rest = alone ? "is true in no scenario" : "is never true together with the rest"
    report(
      .unreachableBranch, isOneOfSeveralOutcomes(operand, of: gate) ? .note : .warning, [pebble],
      "a branch of the condition of \(name) is unreachable: \(wording.text(of: operand)) \(rest)",
      advice: "remove the branch, or fix it")
  }

  /// Returns whether another operand of the gate reads the same pebble as the given operand.
  ///
  /// If so, the given operand is harmless even if it is unreachable. An example is
  /// `load.succeeded || load.skipped`, which accepts every outcome of `load` except failure. Its
  /// second branch is unreachable if nothing skips `load`.
  private func isOneOfSeveralOutcomes(_ operand: Signal, of gate: Int) -> Bool {
    !circuit.isGate(operand.source)
      && circuit.signals(of: gate).contains {
        $0 != operand && circuit.pebble(of: $0.source) == circuit.pebble(of: operand.source)
      }
  }

  /// Returns the operand as a fact, under the assumption that dead pebbles can end in any way.
  private func freed(_ operand: Signal) -> Fact {
    if circuit.isGate(operand.source) { return .gate(operand.source, freeing: dead) }
    let pebble = circuit.pebble(of: operand.source)
    return .signal(dead.contains(pebble) ? Signal(pebble, .settled) : operand)
  }

  // MARK: Redundant operands

  /// Returns whether, in every scenario, the condition has the same value without the operand.
  mutating func isRedundant(at index: Int, in place: Place) -> Bool {
    let operand = place.operands[index]
    let isAll = circuit.network.kinds[place.gate] == .all
    let decisive: Fact = .signal(isAll ? !operand : operand)
    return space.find(place.requiredFacts + others(index, of: place) + [decisive]).isImpossible
  }

  /// Returns whether leaving out the operand can change the time at which the pebble starts; `true`
  /// if this is not known.
  mutating func affectsStart(
    at index: Int, in place: Place, of pebble: Int
  ) -> Bool {
    guard let settledBefore = settledBefore(pebble) else {
      space.giveUp()
      return true
    }
    let operand = place.operands[index]
    var settled = settledBefore.none
    for conjunct in place.conjuncts { settled.formUnion(settledBefore.settled(when: conjunct)) }
    let others = place.operands.indices.filter { $0 != index }.map { place.operands[$0] }

    if circuit.network.kinds[place.gate] == .all {
      for other in others { settled.formUnion(settledBefore.settled(when: other)) }
      guard settledBefore.mentioned(by: operand).isSubset(of: settled) else { return true }
      // If the others do not imply the operand, an OR above may still be true in the end, whatever
      // this gate is. But without the operand, this gate could be the first to make the OR true.
      let facts = (place.conjuncts + others).map(Fact.signal) + [.signal(!operand)]
      return !space.find(facts).isImpossible
    }
    settled.formUnion(settledBefore.settled(when: operand))
    let facts = place.conjuncts.map(Fact.signal) + [.signal(operand)]
    return !others.contains { other in
      settledBefore.mentioned(by: other).isSubset(of: settled)
        && space.find(facts + [.signal(!other)]).isImpossible
    }
  }

  private mutating func reportRedundant(_ operand: Signal, in place: Place, of pebble: Int) {
    redundantOperands.insert(.init(gate: place.gate, signal: operand))
    let name = wording.name(pebble)
    let kind = circuit.network.kinds[place.gate]
    let rest = place.operands.isEmpty ? "" : " beside \(wording.text(of: place.operands, kind))"
    report(
      .redundant, .note, [pebble],
      "\(wording.text(of: operand)) changes nothing in the condition of \(name)\(rest)",
      advice: "leave it out, unless it is there for the reader")
  }
}

extension PondGraph {
  /// Returns the atoms of the condition that is implied by the inputs of a pebble.
  func inputs(of pebble: Int) -> [Circuit.Signal] {
    guard let condition = impliedCondition(of: pebble) else { return [] }
    var atoms: [Circuit.Signal] = []
    var pending = [condition]
    while let next = pending.popLast() {
      switch next.expression {
      case .constant: break
      case .atom(let atom):
        atoms.append(Circuit.Signal(Int(atom.pebble.index), atom.outcomes))
      case .compound(let node): pending += node.operands
      }
    }
    return atoms
  }
}
