/// A builder that collects gates and edges in any order and finally lays them out as a
/// `ReadinessNetwork`.
struct NetworkBuilder: ~Copyable {
  let pebbleCount: Int
  private var kinds: GrowingList<GateKind>
  private let cases: CaseRows

  private var wires: GrowingList<Wire>
  private var constants: [Edge] = []
  private var initiallyReady: [UInt32] = []
  private var labels: [Int: String] = [:]
  private var goal: Int?

  struct Wire: BitwiseCopyable {
    let source: UInt32
    let edge: Edge
  }

  /// Creates a builder with room for `expectedOperands` operands. Reserving memory avoids the
  /// fragmentation that growing arrays would cause, and unused memory costs nothing.
  init(pebbleCount: Int, cases: CaseRows, expectedOperands: Int = 0) {
    self.pebbleCount = pebbleCount
    self.cases = cases
    kinds = GrowingList(capacity: pebbleCount + expectedOperands)
    for _ in 0..<pebbleCount + cases.rows.count { kinds.append(.all) }
    wires = GrowingList(capacity: pebbleCount + expectedOperands)
    for row in cases.rows {
      addEdge(from: cases[row].pebble, to: row, .all, cases[row].name.outcomes)
    }
  }

  mutating func addInitiallyReady(_ pebble: Int) {
    initiallyReady.append(UInt32(pebble))
  }

  /// Sets the kind of a pebble's root gate, which must have no operands yet.
  mutating func setRoot(of pebble: Int, _ kind: GateKind) {
    kinds.all[pebble] = kind
  }

  /// Adds a gate as an operand of another gate.
  ///
  /// - Parameters:
  ///   - kind: The kind of the new gate.
  ///   - target: The gate that receives the new gate as an operand.
  ///   - targetKind: The kind of `target`.
  /// - Returns: The new gate.
  mutating func addGate(_ kind: GateKind, feeding target: Int, _ targetKind: GateKind) -> Int {
    let gate = addGate(kind)
    addEdge(from: gate, to: target, targetKind, .succeeded)
    return gate
  }

  /// Adds and returns the goal's gate.
  mutating func addGoal() -> Int {
    let gate = addGate(.all)
    goal = gate
    return gate
  }

  private mutating func addGate(_ kind: GateKind) -> Int {
    let gate = kinds.count
    precondition(gate < Edge.mostGates, "a pond can have 268,435,456 pebbles and operators at most")
    kinds.append(kind)
    return gate
  }

  func kind(of gate: Int) -> GateKind { kinds.all[gate] }

  /// Adds an operand to a gate of the given kind. Inlining saves a call for each edge of the
  /// definition.
  @inline(__always)
  mutating func addEdge(
    from source: Int, to gate: Int, _ kind: GateKind, _ outcomes: OutcomeSet
  ) {
    let edge = Edge(to: gate, kind, outcomes)
    wires.append(Wire(source: UInt32(truncatingIfNeeded: source), edge: edge))
  }

  mutating func addConstant(_ value: Bool, to gate: Int, _ kind: GateKind) {
    constants.append(Edge(to: gate, kind, value ? .succeeded : []))
  }

  mutating func setLabel(_ label: String, of gate: Int) {
    labels[gate] = label
  }

  /// Returns the network, with its edges sorted by source.
  ///
  /// The counting sort keeps the edges of each source in the order in which they were added. The
  /// pass that counts the edges also counts the operands of each gate.
  func network() -> ReadinessNetwork {
    let rowCount = kinds.count
    var operandCounts = [UInt32](repeating: 0, count: rowCount)
    for row in cases.rows { operandCounts[row] = 1 }  // The answer, which has no edge.
    for constant in constants { operandCounts[constant.gate] += 1 }

    // During the sort, `offsets[row + 1]` is the place of the next edge of `row`; afterwards, the
    // end of the edges of `row`.
    let offsets = FlatArray<UInt32>(count: rowCount + 2) { offsets in
      offsets.initialize(repeating: 0, count: rowCount + 2)
      operandCounts.withUnsafeMutableBufferPointer { operandCounts in
        for wire in wires.all {
          offsets[Int(wire.source) + 2] &+= 1
          operandCounts[wire.edge.gate] &+= 1
        }
      }
      for row in 0..<rowCount { offsets[row + 2] &+= offsets[row + 1] }
    }
    let edges = FlatArray<Edge>(count: wires.count) { edges in
      for wire in wires.all {
        let place = offsets.elements + (Int(wire.source) + 1)
        (edges + Int(place.pointee)).initialize(to: wire.edge)
        place.pointee &+= 1
      }
    }
    return ReadinessNetwork(
      pebbleCount: pebbleCount, rowCount: rowCount, offsets: offsets, edges: edges,
      operandCounts: operandCounts, kinds: Array(kinds.all), goal: goal,
      cases: cases, initiallyReady: FlatArray(initiallyReady),
      constants: constants, labels: labels)
  }
}
