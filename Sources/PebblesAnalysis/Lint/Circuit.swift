import Pebbles

/// A circuit that represents the conditions of a pond. It stores the operands of each gate and an
/// ordering of all rows. Except within cycles, each row comes after the rows it waits for.
struct Circuit {
  /// An operand of a gate, or the negation of an operand. In each scenario, a signal is true or
  /// false once every pebble has settled.
  struct Signal: Hashable {
    /// The row of the network that the signal reads.
    var source: Int { Int(row) }

    private let row: UInt32

    /// The outcomes of the row that make the signal true. A gate that is true has the outcome
    /// `.succeeded`.
    let outcomes: OutcomeSet

    init(_ source: Int, _ outcomes: OutcomeSet) {
      row = UInt32(source)
      self.outcomes = outcomes
    }

    init(_ operand: OperandIndex.Operand) {
      self.init(Int(operand.source), operand.outcomes)
    }

    /// Creates the signal that is true if a gate is true.
    init(gate: Int) {
      self.init(gate, .succeeded)
    }

    static prefix func ! (signal: Signal) -> Signal {
      Signal(signal.source, signal.outcomes.complement)
    }
  }

  let network: ReadinessNetwork
  private let constants: [Int: [Bool]]

  /// The operands of all rows. The operands of row *n* are
  /// `operands[offsets[n] ..< offsets[n + 1]]`.
  private let operands: [Signal]
  private let offsets: [Int32]

  /// All rows, each after the rows it waits for, except within cycles. The rows of a cycle are
  /// adjacent.
  let order: [Int]

  /// The cycles of pebbles that wait for each other. The pebbles of each cycle are in definition
  /// order.
  let cycles: [[Int]]

  /// The rows of each cycle: its pebbles, and all gates and cases in their conditions. Each row
  /// comes after the gates and cases that it combines.
  private(set) var cycleRows: [[Int]] = []

  /// The index in `cycles` of the cycle that contains each row; -1 if no cycle contains it.
  private let cycleOfRow: [Int32]

  /// The position of each row in `order`.
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
    cycleRows = cycles.map { rows(ofCycle: $0) }
  }

  private func rows(ofCycle cycle: [Int]) -> [Int] {
    var known: Set<Int> = []
    return cycle.flatMap { pebble in
      gates(below: pebble).flatMap { gate in
        // A case waits only for its pebble, which is in the cycle or outside of it.
        rows(awaitedBy: gate).filter(isCase) + [gate]
      }.filter { known.insert($0).inserted }
    }
  }

  /// Returns the operands of a row, except constants, ordered by source.
  func signals(of row: Int) -> ArraySlice<Signal> { operands[places(of: row)] }

  /// Returns the positions of a row's operands, to be passed to `signal(at:)` one at a time.
  @inline(__always)
  func places(of row: Int) -> Range<Int> { Int(offsets[row])..<Int(offsets[row + 1]) }

  @inline(__always)
  func signal(at place: Int) -> Signal { operands[place] }

  /// Returns the constants among the operands of a gate.
  func constants(of gate: Int) -> [Bool] {
    constants.isEmpty ? [] : constants[gate, default: []]
  }

  /// Returns the gates of a condition, each after the gates it combines. The root is last.
  ///
  /// - Complexity: O(atoms).
  func gates(below root: Int) -> [Int] {
    var gates: [Int] = []
    var known: Set<Int> = []
    var pending = [(gate: root, isLeaving: false)]
    while let (gate, isLeaving) = pending.popLast() {
      if isLeaving {
        gates.append(gate)
        continue
      }
      // Known only once it is visited: a gate that comes up again before that is visited earlier.
      guard known.insert(gate).inserted else { continue }
      pending.append((gate, true))
      for signal in signals(of: gate) where isGate(signal.source) {
        if !known.contains(signal.source) { pending.append((signal.source, false)) }
      }
    }
    return gates
  }

  /// Returns the atoms of a condition, including atoms that read cases.
  ///
  /// - Complexity: O(atoms).
  func leaves(of root: Int) -> [Signal] {
    gates(below: root).flatMap { signals(of: $0).filter { !isGate($0.source) } }
  }

  /// Returns whether a condition has any atoms, including atoms that read cases. The search ends at
  /// the first atom; otherwise, a large part shared by many conditions would be searched in full
  /// for each of them.
  ///
  /// - Complexity: O(atoms).
  func hasLeaves(_ root: Int) -> Bool {
    var known: Set<Int> = [root]
    var pending = [places(of: root)]
    while var rest = pending.popLast() {
      guard let place = rest.popFirst() else { continue }
      let source = signal(at: place).source
      guard isGate(source) else { return true }
      pending.append(rest)
      if known.insert(source).inserted { pending.append(places(of: source)) }
    }
    return false
  }

  /// Returns the given rows and all rows on which they depend. Each row comes after the rows it
  /// waits for, except within cycles.
  ///
  /// - Complexity: O(*n* log *n* + *o*) for *n* returned rows with *o* operands.
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

  /// Returns the rows that a row waits for.
  func rows(awaitedBy row: Int) -> [Int] {
    signals(of: row).map(\.source)
  }

  /// Returns the index in `cycles` of the cycle that contains a row; `nil` if the row is not in a
  /// cycle.
  func cycle(of row: Int) -> Int? {
    cycleOfRow[row] < 0 ? nil : Int(cycleOfRow[row])
  }

  func isPebble(_ row: Int) -> Bool { row < network.pebbleCount }

  /// Returns whether the row is a gate, rather than a pebble or a case.
  func isGate(_ row: Int) -> Bool { network.kind(ofRow: row) == .gate }

  func isCase(_ row: Int) -> Bool { network.kind(ofRow: row) == .pebbleCase }

  /// Returns whether any condition mentions a case of the pebble.
  func hasMentionedCases(_ pebble: Int) -> Bool {
    network.cases.rows(of: pebble).contains(where: network.isMentioned)
  }

  /// Returns whether any condition mentions the pebble or one of its cases.
  func isMentioned(_ pebble: Int) -> Bool {
    network.edges(from: pebble).contains { !isCase($0.gate) } || hasMentionedCases(pebble)
  }

  /// Returns the pebble that an atom reads, given the source row of the atom.
  func pebble(of row: Int) -> Int {
    network.kind(ofRow: row) == .pebbleCase ? network.cases[row].pebble : row
  }
}
