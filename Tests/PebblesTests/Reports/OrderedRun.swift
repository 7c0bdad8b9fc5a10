@testable import Pebbles

/// A run that a test drives on one thread and without tasks. It records the order in which the
/// pebbles settle.
struct OrderedRun {
  let pond: PondLogic
  let storage: RunStorage

  /// The pebbles that have settled, in the order in which they settled.
  var sequence: [Int] {
    let positions = storage.state.settleLog?.order.pebbles ?? []
    return positions.indices.filter { storage.state.status(of: $0).isSettled }
      .sorted { positions[$0] < positions[$1] }
  }

  private(set) var running: Set<Int> = []
  private var decisions = Decisions()

  init(_ pond: PondLogic) {
    self.pond = pond
    storage = RunStorage(
      pond, ReadinessState(pond.network, goal: pond.network.goal, ordersSettling: true))
    storage.state.begin(into: &decisions)
    takeNote()
  }

  init(_ pond: Pond) {
    self.init(pond.program().pond)
  }

  var enabling: DecisionHistory { DecisionHistory(storage.state, pond.operands) }

  /// Ends the body of a running pebble.
  mutating func end(_ pebble: Int, succeeding: Bool = true, cases: CaseSet = CaseSet()) {
    precondition(running.remove(pebble) != nil, "pebble \(pebble) is not running")
    storage.state.pebbleFinished(
      pebble, succeeded: succeeding, cases: cases, at: 0, into: &decisions)
    takeNote()
  }

  mutating func end(_ pebbles: Pebble<Void>..., succeeding: Bool = true) {
    for pebble in pebbles { end(Int(pebble.reference.index), succeeding: succeeding) }
  }

  mutating func resolveStall() {
    precondition(running.isEmpty)
    storage.state.resolveStall(pond.operands, at: 0, into: &decisions)
    takeNote()
  }

  /// Skips all pebbles that have not started. No pebble may be running.
  mutating func cancel() {
    precondition(running.isEmpty)
    storage.state.cancelRemaining(at: 0, into: &decisions)
    takeNote()
  }

  /// Runs the pond to the end. The closures choose the pebble that ends next, whether it succeeds,
  /// and which of its cases hold.
  mutating func finish(
    choosing choose: ([Int]) -> Int = { $0[0] }, succeeding: (Int) -> Bool = { _ in true },
    holding: (Int) -> CaseSet = { _ in CaseSet() }
  ) {
    while decisions.settledCount < pond.network.pebbleCount {
      if running.isEmpty { resolveStall() }
      while !running.isEmpty {
        let next = choose(running.sorted())
        end(next, succeeding: succeeding(next), cases: holding(next))
      }
    }
  }

  private mutating func takeNote() {
    decisions.ready.forEach { start(Int($0)) }
    decisions.ready.removeAll()
  }

  private mutating func start(_ pebble: Int) {
    running.insert(pebble)
    storage.state.pebbleStarted(pebble, at: 0)
  }
}

/// The values of conditions at the time when the given number of pebbles of a run had settled. All
/// of these pebbles are known, or only some of them. Every value is computed anew, by Kleene's
/// tables.
struct Replay {
  private let run: OrderedRun
  private let count: Int
  private let known: Set<Int>

  // `known` are the pebbles to know of: all others count as not settled.
  init(_ run: OrderedRun, upTo count: Int, knowing known: Set<Int>? = nil) {
    self.run = run
    self.count = count
    self.known = (known ?? Set(run.sequence)).intersection(run.sequence.prefix(count))
  }

  func condition(of pebble: Int) -> Condition {
    run.pond.graph.condition(of: pebble)
  }

  func value(of condition: Condition) -> Bool? {
    switch condition.expression {
    case .constant(let value): return value
    case .atom(let atom):
      let pebble = Int(atom.pebble.index)
      guard known.contains(pebble), let event = run.storage.state.status(of: pebble).event else {
        return nil
      }
      guard let place = atom.casePlace else {
        return atom.outcomes.rawValue >> event.rawValue & 1 == 1
      }
      let one = run.pond.graph.cases[pebble]?.cases[place]
      return run.storage.state.cases(of: pebble).contains { $0 == one } != atom.isNegatedCase
    case .compound(let node):
      let values = node.operands.map(value)
      switch node.operation {
      case .all: return values.contains(false) ? false : values.contains(nil) ? nil : true
      case .any: return values.contains(true) ? true : values.contains(nil) ? nil : false
      case .not: return values[0].map { !$0 }
      case .labeled: return values[0]
      }
    }
  }

  /// Returns all sets of pebbles that an explanation can name as having decided a condition. There
  /// are several if several operands were decided by the same pebble.
  ///
  /// - Precondition: The condition is decided once `count` pebbles have settled.
  func deciders(of condition: Condition) -> Set<Set<Int>> {
    switch condition.expression {
    case .constant: return [[]]
    case .atom(let atom): return [[Int(atom.pebble.index)]]
    case .compound(let node):
      let operands = node.operands
      switch node.operation {
      case .not, .labeled: return deciders(of: operands[0])
      case .all: return deciders(of: operands, oneIsEnoughFor: false, condition)
      case .any: return deciders(of: operands, oneIsEnoughFor: true, condition)
      }
    }
  }

  private func deciders(
    of operands: [Condition], oneIsEnoughFor dominant: Bool, _ condition: Condition
  ) -> Set<Set<Int>> {
    if value(of: condition) == dominant {
      let agreeing = operands.filter { value(of: $0) == dominant }
      let first = agreeing.map(moment).min()
      return agreeing.filter { moment(of: $0) == first }.reduce(into: []) {
        $0.formUnion(deciders(of: $1))
      }
    }
    return operands.reduce([[]]) { sets, operand in
      let more = deciders(of: operand)
      return Set(sets.flatMap { set in more.map(set.union) })
    }
  }

  /// Returns the number of pebbles that had settled when a condition was decided.
  private func moment(of condition: Condition) -> Int {
    (0...count).first { Replay(run, upTo: $0).value(of: condition) != nil } ?? .max
  }

  /// Returns the number of pebbles that had settled when the condition of a pebble was decided.
  static func momentOfDecision(of pebble: Int, in run: OrderedRun) -> Int {
    let replay = Replay(run, upTo: run.sequence.count)
    return replay.moment(of: replay.condition(of: pebble))
  }
}
