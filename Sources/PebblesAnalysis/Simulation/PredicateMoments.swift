import Pebbles

/// When the predicates of a recorded run held, as far as the record tells: it has who decided whose
/// condition, and which predicates held in the end.
///
/// A predicate can begin to hold when something that it reads settles. Where a pebble says that
/// this decided its condition, and the predicate is a part of that, it did so then: the predicate
/// was *due*. Pairs of a predicate and one of its reads are kept, of which there are no more than
/// reads; not who depends on a predicate, which shared conditions can make quadratic.
struct PredicateMoments {
  private let network: ReadinessNetwork

  /// For each predicate that held in the end, those of its reads at which it is due and that are
  /// still to settle; -1 stands for the start of the run.
  private var moments: [Int: Set<Int>] = [:]

  /// How many of the reads of a predicate, from the first on, are known to have settled.
  private var settledReads: [Int: Int] = [:]

  /// The pebbles whose conditions each pebble decided, or, under -1, none did. As they are
  /// decided, those at the end are taken out.
  private var decided: [Int: [Int]] = [:]

  /// Those of which there is no telling, in the order in which that came out.
  private var unneeded: [PredicateRequest] = []

  /// How many operands are looked at before a run is given up.
  private static let mostSteps = 100_000_000

  /// How many more may be.
  private var remainingSteps: Int

  /// - Parameters:
  ///   - run: The run.
  ///   - mostSteps: How many operands of conditions are looked at before it is given up.
  /// - Throws: ``RecordingError`` if that is not enough.
  /// - Complexity: O(pebbles + reads), and, for each pebble that a predicate which held reads,
  ///   O(atoms) of the conditions that it decided: what several of them share counts once. So it
  ///   takes longer than the run is large only where conditions with predicates are shared by
  ///   pebbles that were decided by different ones, and then there is `mostSteps`. Memory is linear
  ///   in any case.
  init(_ run: RecordedRun, mostSteps: Int = Self.mostSteps) throws(RecordingError) {
    remainingSteps = mostSteps
    network = run.model.pond.network
    let existing = 0..<network.predicateCount
    for held in run.heldPredicates where existing.contains(held) { moments[held] = [] }
    guard !moments.isEmpty else { return }
    for (pebble, record) in run.pebbles.enumerated() {
      decided[record.decidedBy ?? -1, default: []].append(pebble)
    }
    for (decider, pebbles) in decided {
      let readers = decider < 0 ? nil : network.predicateReaders[UInt32(decider), default: []]
      let known = readers.map { $0.map(Int.init) } ?? Array(moments.keys)
      let wanted = Set(known.filter { moments[$0] != nil })
      for predicate in find(wanted, below: pebbles, run.model.pond.operands) {
        moments[predicate]?.insert(decider)
      }
      if remainingSteps < 0 {
        throw RecordingError(
          pebble: nil,
          description: "the predicates of the run are in too many conditions, which many pebbles "
            + "share, to find out when they held")
      }
    }
  }

  /// Which of these predicates are part of the conditions of pebbles.
  private mutating func find(
    _ wanted: Set<Int>, below pebbles: [Int], _ operands: OperandIndex
  ) -> Set<Int> {
    var found: Set<Int> = []
    var known: Set<Int> = []
    var pending = wanted.isEmpty ? [] : pebbles
    while let row = pending.popLast(), found.count < wanted.count, remainingSteps >= 0 {
      remainingSteps -= operands[row].count + 1
      for operand in operands[row] {
        let source = Int(operand.source)
        switch network.kind(ofRow: source) {
        case .pebble: continue
        case .gate: if known.insert(source).inserted { pending.append(source) }
        case .predicate(let predicate): if wanted.contains(predicate) { found.insert(predicate) }
        }
      }
    }
    return found
  }

  /// Whether a predicate holds when it is evaluated: it is due, or all that it reads has settled.
  ///
  /// - Complexity: O(1), amortized over all requests of the run.
  mutating func holds(_ request: PredicateRequest, _ state: ReadinessState) -> Bool {
    let predicate = Int(request.predicate)
    guard moments[predicate] != nil, !state.isHeld(predicate: predicate) else { return false }
    let decider = Int(request.cause) < network.pebbleCount ? Int(request.cause) : -1
    let isDue = moments[predicate]?.remove(decider) != nil
    if isDue, isAnyOpen(of: decider, state) { return true }
    let reads = network.predicateReads[predicate]
    var settled = settledReads[predicate] ?? 0
    while settled < reads.count, state.status(of: Int(reads[settled])).isSettled { settled += 1 }
    settledReads[predicate] = settled
    if settled == reads.count { return true }
    if moments[predicate]?.isEmpty == true { unneeded.append(request) }
    return false
  }

  /// Whether a condition that a pebble is to decide is still undecided. One is enough for it to
  /// count: which of the predicates in it has to hold is not known then anyway.
  private mutating func isAnyOpen(of decider: Int, _ state: ReadinessState) -> Bool {
    while let last = decided[decider]?.last {
      if state.status(of: last) == .waiting, state.value(ofGate: last) == nil { return true }
      decided[decider]?.removeLast()
    }
    return false
  }

  /// The predicates asked for since this was last called that are not due at anything still to
  /// come, with the last request for each, in ascending order. They may hold by now.
  mutating func takeUnneeded() -> [PredicateRequest] {
    defer { unneeded.removeAll() }
    var last: [UInt32: PredicateRequest] = [:]
    for request in unneeded { last[request.predicate] = request }
    return last.values.sorted { $0.predicate < $1.predicate }
  }
}
