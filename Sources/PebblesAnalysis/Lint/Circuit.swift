import Pebbles

/// The conditions of a pond as a circuit, seen from its gates: what each waits for, in an order in
/// which everything comes after what it waits for.
struct Circuit {
  /// One operand of a gate, or one of these behind a negation: something that is true or false in
  /// each scenario once all is settled.
  struct Signal: Hashable {
    /// The row of the network that it comes from.
    var source: Int { Int(row) }

    private let row: UInt32

    /// What has to happen there. Gates use `.succeeded` for true.
    let outcomes: OutcomeSet

    init(_ source: Int, _ outcomes: OutcomeSet) {
      row = UInt32(source)
      self.outcomes = outcomes
    }

    init(_ operand: OperandIndex.Operand) {
      self.init(Int(operand.source), operand.outcomes)
    }

    /// That a gate is true.
    init(gate: Int) {
      self.init(gate, .succeeded)
    }

    static prefix func ! (signal: Signal) -> Signal {
      Signal(signal.source, signal.outcomes.complement)
    }
  }

  let network: ReadinessNetwork
  private let constants: [Int: [Bool]]

  /// The operands of gate *n* are `operands[offsets[n] ..< offsets[n + 1]]`.
  private let operands: [Signal]
  private let offsets: [Int32]

  /// All rows, those that a row waits for before it, those that wait for each other side by side.
  let order: [Int]

  /// The pebbles that wait for each other in circles, a list for each knot, in definition order.
  let knots: [[Int]]

  /// By row: its knot, or -1.
  private let knotOfRow: [Int32]

  /// By row: its place in `order`.
  private let places: [Int32]

  init(_ pond: PondLogic) {
    network = pond.network
    var operands: [Signal] = []
    var offsets: [Int32] = [0]
    operands.reserveCapacity(pond.network.edges.count)
    offsets.reserveCapacity(pond.network.gateCount + 1)
    for gate in 0..<pond.network.gateCount {
      for operand in pond.operands[gate] { operands.append(Signal(operand)) }
      offsets.append(Int32(operands.count))
    }
    self.operands = operands
    self.offsets = offsets
    constants = pond.network.constants.reduce(into: [:]) {
      $0[$1.gate, default: []].append($1.outcomes.contains(.succeeded))
    }
    var search = ComponentSearch(network, pond.operands)
    search.run()
    order = search.order
    var places = [Int32](repeating: 0, count: network.rowCount)
    for (place, row) in search.order.enumerated() { places[row] = Int32(place) }
    self.places = places
    var knots: [[Int]] = []
    var knotOfRow = [Int32](repeating: -1, count: network.rowCount)
    for component in search.components {
      let pebbles = order[component].filter { [count = network.pebbleCount] in $0 < count }
      guard !pebbles.isEmpty else { continue }
      for row in order[component] { knotOfRow[row] = Int32(knots.count) }
      knots.append(pebbles.sorted())
    }
    self.knots = knots
    self.knotOfRow = knotOfRow
  }

  /// What a gate combines, without its constants, ordered by source.
  func signals(of gate: Int) -> ArraySlice<Signal> { operands[places(of: gate)] }

  /// Where the operands of a gate stand, for `signal(at:)`.
  @inline(__always)
  func places(of gate: Int) -> Range<Int> { Int(offsets[gate])..<Int(offsets[gate + 1]) }

  @inline(__always)
  func signal(at place: Int) -> Signal { operands[place] }

  /// The constants among the operands of a gate.
  func constants(of gate: Int) -> [Bool] {
    constants.isEmpty ? [] : constants[gate, default: []]
  }

  /// The gates that a condition is made of, each after those it combines, the root last.
  ///
  /// - Complexity: O(atoms).
  func gates(below root: Int) -> [Int] {
    var gates: [Int] = []
    var known: Set<Int> = [root]
    var pending = [(gate: root, isLeaving: false)]
    while let (gate, isLeaving) = pending.popLast() {
      if isLeaving {
        gates.append(gate)
        continue
      }
      pending.append((gate, true))
      for signal in signals(of: gate) where isGate(signal.source) {
        if known.insert(signal.source).inserted { pending.append((signal.source, false)) }
      }
    }
    return gates
  }

  /// The atoms of a condition.
  ///
  /// - Complexity: O(atoms).
  func leaves(of root: Int) -> [Signal] {
    gates(below: root).flatMap { signals(of: $0).filter { isPebble($0.source) } }
  }

  /// All rows that decide about some rows, each after those it waits for.
  ///
  /// - Complexity: O(*n* log *n*) in the rows returned, and their operands.
  func cone(of rows: [Int]) -> [Int] {
    var cone: [Int] = []
    var known: Set<Int> = []
    for row in rows where known.insert(row).inserted { cone.append(row) }
    var position = 0
    while position < cone.count {
      for source in self.rows(awaitedBy: cone[position]) where known.insert(source).inserted {
        cone.append(source)
      }
      position += 1
    }
    return cone.sorted { places[$0] < places[$1] }
  }

  /// The rows that a row waits for.
  func rows(awaitedBy row: Int) -> [Int] {
    switch network.kind(ofRow: row) {
    case .pebble, .gate: signals(of: row).map(\.source)
    case .predicate(let predicate): network.predicateReads[predicate].map { Int($0) }
    }
  }

  /// The knot that a row is part of: it waits, over others, for itself.
  func knot(of row: Int) -> Int? {
    knotOfRow[row] < 0 ? nil : Int(knotOfRow[row])
  }

  func isPebble(_ row: Int) -> Bool { row < network.pebbleCount }

  /// Whether the row is an inner gate.
  func isGate(_ row: Int) -> Bool { row >= network.pebbleCount && row < network.gateCount }
}

/// Tarjan's algorithm (*Depth-first search and linear graph algorithms*, 1972), kept iterative.
private struct ComponentSearch {
  private let network: ReadinessNetwork
  private let operands: OperandIndex

  private(set) var order: [Int] = []

  /// Places in `order` of the components that contain a cycle.
  private(set) var components: [Range<Int>] = []

  private var visits: [UInt32]
  private var lowest: [UInt32]
  private var isOnStack: [Bool]
  private var stack: [Int] = []
  private var frames: [(row: Int, position: Int)] = []
  private var visitCount: UInt32 = 0

  init(_ network: ReadinessNetwork, _ operands: OperandIndex) {
    self.network = network
    self.operands = operands
    visits = Array(repeating: 0, count: network.rowCount)
    lowest = visits
    isOnStack = Array(repeating: false, count: network.rowCount)
    order.reserveCapacity(network.rowCount)
  }

  mutating func run() {
    for row in 0..<network.rowCount where visits[row] == 0 {
      visit(row)
      while let frame = frames.last {
        guard let target = target(of: frame.row, at: frame.position) else {
          leave(frame.row)
          continue
        }
        frames[frames.count - 1].position += 1
        if visits[target] == 0 {
          visit(target)
        } else if isOnStack[target] {
          lowest[frame.row] = min(lowest[frame.row], visits[target])
        }
      }
    }
  }

  private func target(of row: Int, at position: Int) -> Int? {
    switch network.kind(ofRow: row) {
    case .pebble, .gate:
      let targets = operands[row]
      return position < targets.count ? Int(targets[targets.startIndex + position].source) : nil
    case .predicate(let predicate):
      let reads = network.predicateReads[predicate]
      return position < reads.count ? Int(reads[position]) : nil
    }
  }

  private mutating func visit(_ row: Int) {
    visitCount += 1
    visits[row] = visitCount
    lowest[row] = visitCount
    stack.append(row)
    isOnStack[row] = true
    frames.append((row, 0))
  }

  private mutating func leave(_ row: Int) {
    frames.removeLast()
    if let parent = frames.last?.row { lowest[parent] = min(lowest[parent], lowest[row]) }
    guard lowest[row] == visits[row] else { return }
    let start = order.count
    while let member = stack.popLast() {
      isOnStack[member] = false
      order.append(member)
      if member == row { break }
    }
    if order.count - start > 1 || targets(of: row).contains(row) {
      components.append(start..<order.count)
    }
  }

  private func targets(of row: Int) -> [Int] {
    var targets: [Int] = []
    while let target = target(of: row, at: targets.count) { targets.append(target) }
    return targets
  }
}
