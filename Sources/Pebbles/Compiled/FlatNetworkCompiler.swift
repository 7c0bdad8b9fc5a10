/// Compiles graphs in which every pebble waits for nothing, for one atom, or for an AND or an OR of
/// atoms, as nearly all do: in two passes, one that counts and one that places, without a list of
/// edges in between. What comes out is what `NetworkCompiler` would make of it.
struct FlatNetworkCompiler {
  typealias Words = UnsafeBufferPointer<ConditionTable.Word>

  private let graph: PondGraph
  private let count: Int

  init(_ graph: PondGraph) {
    self.graph = graph
    count = graph.names.count
  }

  /// - Returns: The network; `nil` where a condition is of another kind, a pebble has inputs or
  ///   cases, or the pond has a goal.
  func compile() -> ReadinessNetwork? {
    guard graph.needs.isEmpty, graph.cases.isEmpty, graph.goal == nil else { return nil }
    return graph.conditions.withWords(compile)
  }

  private func compile(_ conditions: Words, _ operands: Words) -> ReadinessNetwork? {
    // Room for all is not taken in vain: a condition of another kind is mostly among the first.
    guard (0..<min(count, 1_000)).allSatisfy({ isFlat(conditions[$0], operands) }) else {
      return nil
    }
    var (initiallyReady, kinds) = ([UInt32](), [GateKind](repeating: .all, count: count))
    // While counting, `offsets[row + 2]` is how many edges `row` has; while placing,
    // `offsets[row + 1]` is where its next one goes; in the end, where its edges end.
    let offsets = FlatArray<UInt32>(count: count + 2) { offsets in
      offsets.initialize(repeating: 0, count: count + 2)
    }
    var edgeCount = 0
    var operandCounts = [UInt32](repeating: 0, count: count)
    for pebble in 0..<count {
      let word = conditions[pebble]
      if word.isAlways {
        initiallyReady.append(UInt32(pebble))
        continue
      }
      if word.isAtom {
        offsets.elements[word.pebble + 2] += 1
        operandCounts[pebble] = 1
        edgeCount += 1
        continue
      }
      guard let atoms = Self.atoms(of: word, among: operands) else { return nil }
      for place in atoms.places {
        let atom = operands[place]
        guard atom.isAtom else { return nil }
        offsets.elements[atom.pebble + 2] += 1
      }
      kinds[pebble] = atoms.kind
      operandCounts[pebble] = UInt32(atoms.places.count)
      edgeCount += atoms.places.count
    }
    for row in 0..<count { offsets.elements[row + 2] += offsets.elements[row + 1] }
    return ReadinessNetwork(
      pebbleCount: count, gateCount: count, offsets: offsets,
      edges: edges(edgeCount, conditions, operands, offsets), operandCounts: operandCounts,
      kinds: kinds, goal: nil, cases: CaseRows(pebbleCount: count),
      initiallyReady: FlatArray(initiallyReady), constants: [], labels: [:])
  }

  private func isFlat(_ word: ConditionTable.Word, _ operands: Words) -> Bool {
    if word.isAlways || word.isAtom { return true }
    return Self.atoms(of: word, among: operands)?.places.allSatisfy { operands[$0].isAtom } ?? false
  }

  private func edges(
    _ edgeCount: Int, _ conditions: Words, _ operands: Words, _ offsets: FlatArray<UInt32>
  ) -> FlatArray<Edge> {
    FlatArray<Edge>(count: edgeCount) { edges in
      func place(_ atom: ConditionTable.Word, _ kind: GateKind, of pebble: Int) {
        let next = offsets.elements + (atom.pebble + 1)
        (edges + Int(next.pointee)).initialize(to: Edge(to: pebble, kind, atom.outcomes))
        next.pointee += 1
      }
      for pebble in 0..<count {
        let word = conditions[pebble]
        if word.isAtom {
          place(word, .all, of: pebble)
        } else if !word.isAlways, let atoms = Self.atoms(of: word, among: operands) {
          for position in atoms.places { place(operands[position], atoms.kind, of: pebble) }
        }
      }
    }
  }

  /// What a condition of more than one atom computes, and where these are; `nil` if it is not an
  /// AND or OR of something.
  @inline(__always)
  private static func atoms(
    of word: ConditionTable.Word, among operands: Words
  ) -> (kind: GateKind, places: Range<Int>)? {
    guard word.kind == .packed else { return nil }
    let head = operands[word.value]
    guard !head.isAtom, head.value > 0 else { return nil }
    let places = word.value + 1..<word.value + 1 + head.value
    switch head.kind {
    case .all: return (.all, places)
    case .any: return (.any, places)
    case .not, .constant, .packed, .kept: return nil
    }
  }
}
