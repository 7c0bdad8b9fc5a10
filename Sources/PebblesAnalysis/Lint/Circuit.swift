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

  /// The operands of row *n* are `operands[offsets[n] ..< offsets[n + 1]]`.
  private let operands: [Signal]
  private let offsets: [Int32]

  /// All rows, those that a row waits for before it, those that wait for each other side by side.
  let order: [Int]

  /// The pebbles that wait for each other in cycles, a list for each cycle, in definition order.
  let cycles: [[Int]]

  /// By row: its cycle, or -1.
  private let cycleOfRow: [Int32]

  /// By row: its place in `order`.
  private let places: [Int32]

  init(_ pond: PondLogic) {
    network = pond.network
    let index = pond.operands
    var operands: [Signal] = []
    var offsets: [Int32] = [0]
    operands.reserveCapacity(pond.network.edges.count)
    offsets.reserveCapacity(pond.network.rowCount + 1)
    for row in 0..<pond.network.rowCount {
      for operand in index[row] { operands.append(Signal(operand)) }
      offsets.append(Int32(operands.count))
    }
    self.operands = operands
    self.offsets = offsets
    constants = pond.network.constants.reduce(into: [:]) {
      $0[$1.gate, default: []].append($1.outcomes.contains(.succeeded))
    }
    var components = StronglyConnectedComponents(nodeCount: network.rowCount)
    var cycles: [[Int]] = []
    var cycleOfRow = [Int32](repeating: -1, count: network.rowCount)
    components.search(from: 0..<network.rowCount)
    while let component = components.next(along: index.source) {
      let rows = components.members[component]
      let first = rows[component.lowerBound]
      let isCycle = rows.count > 1 || index[first].contains { $0.source == first }
      guard isCycle else { continue }
      for row in rows { cycleOfRow[row] = Int32(cycles.count) }
      cycles.append(rows.filter { [network] in $0 < network.pebbleCount }.sorted())
    }
    order = components.members
    var places = [Int32](repeating: 0, count: network.rowCount)
    for (place, row) in order.enumerated() { places[row] = Int32(place) }
    self.places = places
    self.cycles = cycles
    self.cycleOfRow = cycleOfRow
  }

  /// What a gate combines, without its constants, ordered by source.
  func signals(of row: Int) -> ArraySlice<Signal> { operands[places(of: row)] }

  /// Where the operands of a row stand, for `signal(at:)`.
  @inline(__always)
  func places(of row: Int) -> Range<Int> { Int(offsets[row])..<Int(offsets[row + 1]) }

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

  /// The atoms of a condition: on pebbles, or on cases.
  ///
  /// - Complexity: O(atoms).
  func leaves(of root: Int) -> [Signal] {
    gates(below: root).flatMap { signals(of: $0).filter { !isGate($0.source) } }
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
    signals(of: row).map(\.source)
  }

  /// The cycle that a row is part of: it waits, over others, for itself.
  func cycle(of row: Int) -> Int? {
    cycleOfRow[row] < 0 ? nil : Int(cycleOfRow[row])
  }

  func isPebble(_ row: Int) -> Bool { row < network.pebbleCount }

  /// Whether the row is an inner gate, and no case.
  func isGate(_ row: Int) -> Bool { network.kind(ofRow: row) == .gate }

  func isCase(_ row: Int) -> Bool { network.kind(ofRow: row) == .pebbleCase }

  /// Whether something waits for a case of a pebble.
  func hasMentionedCases(_ pebble: Int) -> Bool {
    network.cases.rows(of: pebble).contains(where: network.isMentioned)
  }

  /// Whether something waits for a pebble.
  func isMentioned(_ pebble: Int) -> Bool {
    network.edges(from: pebble).contains { !isCase($0.gate) } || hasMentionedCases(pebble)
  }

  /// The pebble that an atom is about, given its source.
  func pebble(of row: Int) -> Int {
    network.kind(ofRow: row) == .pebbleCase ? network.cases[row].pebble : row
  }
}
