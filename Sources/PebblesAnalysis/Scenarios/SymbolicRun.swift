import Pebbles

/// A run of a pond in all scenarios at once.
///
/// What happens in a run that is not cancelled depends only on which bodies succeed, which pebbles
/// are enabled and which predicates hold. Each of these is a variable; how a pebble ends is a
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
/// starting at pebbles that nobody depends on, as proposed by Malik, Wang, Brayton and
/// Sangiovanni-Vincentelli (*Logic verification using binary decision diagrams in a logic synthesis
/// environment*, 1988) and by Fujita, Fujisawa and Kawato (*Evaluation and improvements of boolean
/// comparison method based on binary decision diagrams*, 1988). It keeps pebbles that belong
/// together next to each other. Those that come later in a run stand nearer to the root: a function
/// is then its predecessors' with a node or two on top, and a chain takes one node a pebble.
///
/// **Predicates** are closures, of which nothing is known. Each may hold or not, whatever else
/// happens, and one that ever holds is taken to hold from the start. For a predicate that reads
/// nothing that depends on itself the moment makes no difference.
package struct SymbolicRun: Sendable {
  package let model: PondModel

  /// Where all functions are.
  package internal(set) var diagram: Diagram

  /// How each pebble ends, in definition order; `nil` where the diagram grew over its limit.
  package internal(set) var pebbles: [SymbolicPebble?]

  /// What each variable decides, by its number.
  package private(set) var variables: [ScenarioVariable] = []

  /// The value of each gate and predicate, by row; `nil` where the diagram grew over its limit.
  package internal(set) var values: [SymbolicValue?]

  /// The variables of bodies, by pebble.
  package internal(set) var bodies: [DiagramVariable?]

  /// Whether a predicate reads what depends on it, so that its moment makes a difference.
  package internal(set) var hasPredicateInCycle = false

  /// An operand that its gate is to do without.
  var omission: Omission?

  /// Operands of gates that are constants.
  private let constants: [Int: [Bool]]

  /// Runs all scenarios.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - limit: How many nodes the diagram may have. Pebbles whose functions do not fit stay
  ///     unknown, and with them those that depend on them; all others are exact.
  package init(_ model: PondModel, limit: Int) {
    self.init(unsettled: model, limit: limit)
    let order = StrongComponents(
      count: model.pond.network.rowCount, roots: Self.sinks(of: model.pond.network)
    ) {
      Self.sources(of: $0, in: model)
    }
    for component in 0..<order.count { settle(order[component]) }
  }

  /// A run in which nothing is known yet, for those who settle parts of it.
  init(unsettled model: PondModel, limit: Int) {
    self.model = model
    diagram = Diagram(nodeLimit: limit)
    let network = model.pond.network
    pebbles = Array(repeating: nil, count: network.pebbleCount)
    bodies = Array(repeating: nil, count: network.pebbleCount)
    values = Array(repeating: nil, count: network.rowCount)
    constants = Dictionary(grouping: network.constants, by: \.gate)
      .mapValues { $0.map { $0.outcomes.contains(.succeeded) } }
  }

  /// Pebbles that nobody depends on.
  private static func sinks(of network: ReadinessNetwork) -> [Int] {
    (0..<network.pebbleCount).filter { pebble in
      network.offsets[pebble] == network.offsets[pebble + 1]
        && network.predicateReaders[UInt32(pebble)] == nil
    }
  }

  /// The rows that a row depends on.
  static func sources(of row: Int, in model: PondModel) -> [Int] {
    switch model.pond.network.kind(ofRow: row) {
    case .pebble, .gate: model.pond.operands[row].map { Int($0.source) }
    case .predicate(let predicate): model.pond.network.predicateReads[predicate].map(Int.init)
    }
  }

  func sources(of row: Int) -> [Int] {
    guard row < model.pond.network.gateCount else { return Self.sources(of: row, in: model) }
    return operands(of: row).map { Int($0.source) }
  }

  private func operands(of gate: Int) -> [OperandIndex.Operand] {
    var operands = Array(model.pond.operands[gate])
    if let omission, omission.gate == gate { operands.remove(at: omission.place) }
    return operands
  }

  /// An operand of a gate, by its place there.
  struct Omission {
    let gate: Int
    let place: Int
  }

  var pebbleCount: Int { model.pond.network.pebbleCount }

  /// Settles a component, or leaves it unknown.
  private mutating func settle(_ component: ArraySlice<Int>) {
    guard !diagram.isExhausted, let row = component.first else { return }
    let count = diagram.nodeCount
    do throws(DiagramLimitReached) {
      if component.count == 1, !sources(of: row).contains(row) {
        // What is unknown makes unknown what depends on it.
        guard sources(of: row).allSatisfy(isKnown) else { return }
        try addVariables(of: row)
        try update(row)
      } else {
        let members = Set(component)
        let others = component.lazy.flatMap(sources(of:)).filter { !members.contains($0) }
        guard others.allSatisfy(isKnown) else { return }
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

  // MARK: One row

  /// Gives a row its variables, and the value it has before anything else is known.
  mutating func addVariables(of row: Int) throws(DiagramLimitReached) {
    values[row] = .open
    switch model.pond.network.kind(ofRow: row) {
    case .gate: return
    case .predicate(let predicate):
      let holds = try diagram.function(of: addVariable(.predicate(predicate)))
      values[row]?.isTrue = holds
    case .pebble:
      var pebble = SymbolicPebble()
      if model.traits[UInt32(row)]?.isOptional == true {
        pebble.disabled = !(try diagram.function(of: addVariable(.activation(row))))
        pebble.skipped = pebble.disabled
      }
      bodies[row] = addVariable(.body(row))
      pebbles[row] = pebble
    }
  }

  private mutating func addVariable(_ meaning: ScenarioVariable) -> DiagramVariable {
    variables.append(meaning)
    return diagram.addVariable()
  }

  /// Computes the value of a row, and for a pebble its outcome, from those it depends on.
  ///
  /// - Returns: Whether anything has changed.
  @discardableResult
  mutating func update(_ row: Int) throws(DiagramLimitReached) -> Bool {
    let value: SymbolicValue
    switch model.pond.network.kind(ofRow: row) {
    case .predicate: value = try predicateValue(row)
    case .pebble, .gate: value = try gateValue(row)
    }
    let hasChanged = value != values[row]
    values[row] = value
    guard row < pebbleCount else { return hasChanged }
    return try updateOutcome(of: row, value) || hasChanged
  }

  private mutating func gateValue(_ gate: Int) throws(DiagramLimitReached) -> SymbolicValue {
    var operands = constants[gate, default: []].map(SymbolicValue.constant)
    for operand in self.operands(of: gate) {
      operands.append(try value(of: operand))
    }
    return try diagram.value(ofGate: model.pond.network.kinds[gate], operands)
  }

  private mutating func value(
    of operand: OperandIndex.Operand
  ) throws(DiagramLimitReached) -> SymbolicValue {
    let source = Int(operand.source)
    guard source < pebbleCount else {
      guard let value = values[source] else { throw DiagramLimitReached() }
      return operand.outcomes.contains(.succeeded) ? value : !value
    }
    let isTrue = try outcome(of: source, isIn: operand.outcomes)
    guard let pebble = pebbles[source] else { throw DiagramLimitReached() }
    if pebble.ran == !pebble.skipped { return SymbolicValue(isTrue: isTrue, isFalse: !isTrue) }
    let isFalse = try outcome(of: source, isIn: operand.outcomes.complement)
    return SymbolicValue(isTrue: isTrue, isFalse: isFalse)
  }

  /// Where the outcome of a pebble is one of some.
  package mutating func outcome(
    of position: Int, isIn outcomes: OutcomeSet
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard let pebble = pebbles[position] else { throw DiagramLimitReached() }
    let completed = outcomes.intersection(.completed)
    let ran: BooleanFunction =
      switch completed {
      case .completed: pebble.ran
      case .succeeded: pebble.succeeded
      case .failed: pebble.failed
      default: .never
      }
    return outcomes.contains(.skipped) ? try diagram.or(ran, pebble.skipped) : ran
  }

  private mutating func predicateValue(_ row: Int) throws(DiagramLimitReached) -> SymbolicValue {
    guard var value = values[row] else { throw DiagramLimitReached() }
    var isSettled = BooleanFunction.always
    for read in sources(of: row) {
      let isReadSettled = try outcome(of: read, isIn: .settled)
      isSettled = try diagram.and(isSettled, isReadSettled)
    }
    value.isIdleFalse = try diagram.and(isSettled, !value.isTrue)
    return value
  }

  private mutating func updateOutcome(
    of row: Int, _ value: SymbolicValue
  ) throws(DiagramLimitReached) -> Bool {
    guard let old = pebbles[row], let body = bodies[row] else { throw DiagramLimitReached() }
    var pebble = old
    // Once skipped in a stall, or as disabled, a pebble stays so, whatever its condition becomes.
    let isOut = try diagram.or(pebble.disabled, pebble.stalled)
    pebble.ran = try diagram.and(!isOut, diagram.or(value.isTrue, value.isIdleTrue))
    pebble.predicateNeverHeld = try diagram.and(!isOut, value.isIdleFalse)
    pebble.skipped =
      value.isTotal
      ? !pebble.ran : try diagram.any([isOut, value.isFalse, value.isIdleFalse])
    guard pebble != old else { return false }
    let succeeds = try diagram.function(of: body)
    pebble.succeeded = try diagram.and(pebble.ran, succeeds)
    pebble.failed = try diagram.and(pebble.ran, !succeeds)
    pebbles[row] = pebble
    return true
  }
}
