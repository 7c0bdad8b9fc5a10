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

  /// The variable of each body, by pebble; and those of activations and predicates, by row.
  package private(set) var bodies: [DiagramVariable]
  private var others: [Int: DiagramVariable] = [:]

  /// Whether a predicate reads what depends on it, so that its moment makes a difference.
  package internal(set) var hasPredicateInCycle = false

  /// An operand that its gate is to do without.
  var omission: Omission?

  /// What each gate waits for.
  private let allOperands: OperandIndex

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
    let network = model.pond.network
    let order = StrongComponents(
      count: network.rowCount, roots: Self.sinks(of: network), targets: sources)
    for row in order.finished { addVariables(of: row) }
    for component in 0..<order.count { settle(order[component]) }
  }

  /// A run in which nothing is known yet, for those who settle parts of it.
  init(unsettled model: PondModel, limit: Int) {
    self.model = model
    diagram = Diagram(nodeLimit: limit)
    allOperands = model.pond.operands
    let network = model.pond.network
    pebbles = Array(repeating: nil, count: network.pebbleCount)
    // Each gets its own later.
    bodies = Array(repeating: DiagramVariable(level: 0), count: network.pebbleCount)
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
  func sources(of row: Int) -> [Int] {
    switch model.pond.network.kind(ofRow: row) {
    case .pebble, .gate: operands(of: row).map { Int($0.source) }
    case .predicate(let predicate): model.pond.network.predicateReads[predicate].map(Int.init)
    }
  }

  private func operands(of gate: Int) -> ArraySlice<OperandIndex.Operand> {
    var operands = allOperands[gate]
    if let omission, omission.gate == gate {
      operands.remove(at: operands.startIndex + omission.place)
    }
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
      let sources = component.flatMap { self.sources(of: $0) }
      if component.count == 1, !sources.contains(row) {
        // What is unknown makes unknown what depends on it.
        guard sources.allSatisfy(isKnown) else { return }
        try begin(row)
        try update(row)
      } else {
        let members = Set(component)
        guard sources.allSatisfy({ members.contains($0) || isKnown($0) }) else { return }
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

  /// Gives a row its variables.
  mutating func addVariables(of row: Int) {
    switch model.pond.network.kind(ofRow: row) {
    case .gate: return
    case .predicate(let predicate): others[row] = addVariable(.predicate(predicate))
    case .pebble:
      if model.properties[UInt32(row)]?.isOptional == true {
        others[row] = addVariable(.activation(row))
      }
      bodies[row] = addVariable(.body(row))
    }
  }

  private mutating func addVariable(_ meaning: ScenarioVariable) -> DiagramVariable {
    variables.append(meaning)
    return diagram.addVariable()
  }

  /// Gives a row the value it has before anything else is known.
  mutating func begin(_ row: Int) throws(DiagramLimitReached) {
    var value = SymbolicValue.open
    var pebble = SymbolicPebble()
    if let variable = others[row] {
      let isTrue = try diagram.function(of: variable)
      if row < pebbleCount {
        pebble.disabled = !isTrue
        pebble.skipped = !isTrue
      } else {
        value.isTrue = isTrue
      }
    }
    values[row] = value
    if row < pebbleCount { pebbles[row] = pebble }
  }

  /// Computes the value of a row, and for a pebble its outcome, from those it depends on.
  ///
  /// - Returns: Whether anything has changed.
  @discardableResult
  mutating func update(_ row: Int) throws(DiagramLimitReached) -> Bool {
    try diagram.takeSteps(1)
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
    var values: [SymbolicValue] = []
    for operand in operands(of: gate) { values.append(try value(of: operand)) }
    if let constants = constants[gate] { values += constants.map(SymbolicValue.constant) }
    return try diagram.value(ofGate: model.pond.network.kinds[gate], values)
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
    guard let old = pebbles[row] else { throw DiagramLimitReached() }
    var pebble = old
    // Once skipped in a stall, or as disabled, it stays so, whatever becomes of the condition.
    let isOut = try diagram.or(pebble.disabled, pebble.stalled)
    pebble.ran = try diagram.and(!isOut, diagram.or(value.isTrue, value.isIdleTrue))
    pebble.predicateNeverHeld = try diagram.and(!isOut, value.isIdleFalse)
    pebble.skipped =
      value.isTotal
      ? !pebble.ran : try diagram.any([isOut, value.isFalse, value.isIdleFalse])
    guard pebble != old else { return false }
    pebble.succeeded = try diagram.and(pebble.ran, where: bodies[row], is: true)
    pebble.failed = try diagram.and(pebble.ran, where: bodies[row], is: false)
    pebbles[row] = pebble
    return true
  }
}
