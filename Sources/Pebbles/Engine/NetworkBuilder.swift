/// Collects gates and edges in any order, and lays them out as a `ReadinessNetwork` in the end.
struct NetworkBuilder {
  let pebbleCount: Int
  private(set) var kinds: [GateKind]
  private let cases: CaseRows

  private var operandCounts: [UInt32]
  private var wires: [Wire] = []
  private var constants: [Edge] = []
  private var initiallyReady: [UInt32] = []
  private var labels: [Int: String] = [:]
  private var goal: Int?

  private struct Wire {
    let source: UInt32
    let edge: Edge
  }

  /// There is room for so many inner gates from the start: arrays that grow leave holes behind in
  /// memory, and room that is not used costs nothing.
  init(pebbleCount: Int, cases: CaseRows, expectedGates: Int = 0) {
    self.pebbleCount = pebbleCount
    self.cases = cases
    kinds = []
    kinds.reserveCapacity(pebbleCount + expectedGates)
    kinds += repeatElement(.all, count: pebbleCount)
    operandCounts = []
    operandCounts.reserveCapacity(pebbleCount + expectedGates)
    operandCounts += repeatElement(0, count: pebbleCount)
    wires.reserveCapacity(pebbleCount + expectedGates)
    for row in cases.rows {
      kinds.append(.all)
      // The answer; it has no edge.
      operandCounts.append(1)
      addEdge(from: cases[row].pebble, to: row, cases[row].name.outcomes)
    }
  }

  mutating func addInitiallyReady(_ pebble: Int) {
    initiallyReady.append(UInt32(pebble))
  }

  /// Says what the root gate of a pebble computes. It must have no operands yet.
  mutating func setRoot(of pebble: Int, _ kind: GateKind) {
    kinds[pebble] = kind
  }

  mutating func addGate(_ kind: GateKind, feeding target: Int) -> Int {
    let gate = addGate(kind)
    addEdge(from: gate, to: target, .succeeded)
    return gate
  }

  /// Adds the gate that says what a run is for.
  mutating func addGoal() -> Int {
    let gate = addGate(.all)
    goal = gate
    return gate
  }

  private mutating func addGate(_ kind: GateKind) -> Int {
    let gate = kinds.count
    precondition(gate < Edge.mostGates, "a pond can have 268,435,456 pebbles and operators at most")
    kinds.append(kind)
    operandCounts.append(0)
    return gate
  }

  /// Inlined, which saves a call for each edge of the definition.
  @inline(__always)
  mutating func addEdge(from source: Int, to gate: Int, _ outcomes: OutcomeSet) {
    wires.append(Wire(source: UInt32(source), edge: Edge(to: gate, kinds[gate], outcomes)))
    operandCounts[gate] += 1
  }

  mutating func addConstant(_ value: Bool, to gate: Int) {
    constants.append(Edge(to: gate, kinds[gate], value ? .succeeded : []))
    operandCounts[gate] += 1
  }

  mutating func setLabel(_ label: String, of gate: Int) {
    labels[gate] = label
  }

  /// Lays everything out.
  consuming func network() -> ReadinessNetwork {
    let (offsets, edges) = Self.sorted(wires, rowCount: kinds.count)
    return ReadinessNetwork(
      pebbleCount: pebbleCount, gateCount: kinds.count, offsets: offsets, edges: edges,
      operandCounts: operandCounts, kinds: kinds, goal: goal,
      cases: cases, initiallyReady: FlatArray(initiallyReady),
      constants: constants, labels: labels)
  }

  /// Counting sort by source; edges of one source keep their order.
  private static func sorted(
    _ wires: [Wire], rowCount: Int
  ) -> (offsets: FlatArray<UInt32>, edges: FlatArray<Edge>) {
    // While sorting, `offsets[row + 1]` is where the next edge of `row` goes; in the end, where the
    // edges of `row` end.
    let offsets = FlatArray<UInt32>(count: rowCount + 2) { offsets in
      offsets.initialize(repeating: 0, count: rowCount + 2)
      for wire in wires { offsets[Int(wire.source) + 2] += 1 }
      for row in 0..<rowCount { offsets[row + 2] += offsets[row + 1] }
    }
    let edges = FlatArray<Edge>(count: wires.count) { edges in
      for wire in wires {
        let place = offsets.elements + (Int(wire.source) + 1)
        (edges + Int(place.pointee)).initialize(to: wire.edge)
        place.pointee += 1
      }
    }
    return (offsets, edges)
  }
}
