/// Settles a stall: nothing runs, nothing is ready, and the waiting pebbles wait for each other.
///
/// The waiting pebbles and the undecided atoms between them form a graph. Its strongly connected
/// components that wait only on themselves can never be decided, so each is skipped as a whole;
/// that may decide others. Components are found with Tarjan's algorithm (*Depth-first search and
/// linear graph algorithms*, 1972), kept iterative, which delivers them in just the order wanted: a
/// component comes after all it waits for. Skipping one may remove edges of others still being
/// collected; such a one is searched again when its turn comes.
///
/// Components that wait only on themselves cannot influence each other, so their order does not
/// matter: the result is that of skipping all of them at once, round by round.
struct StallResolver {
  private let state: ReadinessState
  private let time: UInt64
  private var graph: WaitGraph

  private var visits: [Visit]
  private var frames: [Frame] = []
  private var stack: [Int] = []
  private var visitCount = 0
  private var componentCount = 0

  /// Counts skips, to tell a component whose edges may have changed since it was searched.
  private var skipCount = 0

  /// How many pebbles a reason names at most.
  private static let mostNamed = 100

  /// Tarjan's bookkeeping for one row.
  private struct Visit {
    var order = 0  // 0: not visited
    var lowest = 0
    var component = 0  // 0: not in one yet, so still on the stack if visited
    var skipCount = 0
    /// Whether nothing but predicates that will not be evaluated again keeps the row open.
    var isIdle = false
  }

  /// A row whose targets are being searched; without a row, a list of places to start from.
  private struct Frame {
    let row: Int?
    var targets: [Int]
  }

  init(_ state: ReadinessState, _ operands: OperandIndex, at time: UInt64) {
    self.state = state
    self.time = time
    graph = WaitGraph(state, operands)
    visits = Array(repeating: Visit(), count: state.network.rowCount)
  }

  /// Skips every component that waits only on itself, and what that decides in turn. Those that
  /// wait for a pebble which became ready meanwhile are left alone.
  ///
  /// - Complexity: O(pebbles + atoms), unless components fall apart again and again while they are
  ///   searched: each time, what is left of one is searched once more.
  mutating func resolve(into decisions: inout Decisions) {
    let pebbles = 0..<state.network.pebbleCount
    frames = [Frame(row: nil, targets: pebbles.reversed().filter(graph.isOpen))]
    while var frame = frames.popLast() {
      if let target = frame.targets.popLast() {
        let source = frame.row
        frames.append(frame)
        follow(from: source, to: target)
      } else if let row = frame.row {
        leave(row, into: &decisions)
      }
    }
    state.checkInvariants()
  }

  private mutating func follow(from source: Int?, to target: Int) {
    guard target != WaitGraph.outside, graph.isOpen(target) else { return }
    if visits[target].order == 0 {
      visitCount += 1
      visits[target] = Visit(order: visitCount, lowest: visitCount, skipCount: skipCount)
      stack.append(target)
      frames.append(Frame(row: target, targets: graph.targets(of: target)))
    } else if visits[target].component == 0, let source {
      visits[source].lowest = min(visits[source].lowest, visits[target].order)
    }
  }

  /// All targets of `row` have been searched; if it is the first of its component, that is
  /// complete.
  private mutating func leave(_ row: Int, into decisions: inout Decisions) {
    if let parent = frames.last?.row {
      visits[parent].lowest = min(visits[parent].lowest, visits[row].lowest)
    }
    guard visits[row].lowest == visits[row].order else { return }

    componentCount += 1
    var members: [Int] = []
    while let member = stack.popLast() {
      visits[member].component = componentCount
      members.append(member)
      if member == row { break }
    }
    if members.contains(where: { visits[$0].skipCount != skipCount }) {
      // Edges only ever disappear, so no member can reach what is still on the stack.
      for member in members { visits[member] = Visit() }
      frames.append(Frame(row: nil, targets: members.filter(graph.isOpen)))
    } else {
      settle(members, into: &decisions)
    }
  }

  private mutating func settle(_ members: [Int], into decisions: inout Decisions) {
    var waitsForItself = false
    for target in members.lazy.flatMap(graph.targets(of:)) {
      guard target != WaitGraph.outside else { return }
      if visits[target].component == componentCount {
        waitsForItself = true
      } else if !visits[target].isIdle {
        return
      }
    }
    let pebbles = members.filter { $0 < state.network.pebbleCount }
    guard let first = pebbles.first else {
      for member in members { visits[member].isIdle = true }
      return
    }
    if waitsForItself {
      skip(pebbles, into: &decisions)
    } else {
      settleByPredicatesAlone(first, into: &decisions)
    }
    skipCount += 1
    let known = decisions.predicates.count
    for pebble in pebbles where state.status(of: pebble).isSettled {
      state.send(.skipped, from: pebble, cause: UInt32(pebble), at: time, into: &decisions)
    }
    state.sendPending(at: time, into: &decisions)
    for request in decisions.predicates[known...] {
      graph.pendingPredicates.insert(Int(request.predicate))
    }
  }

  /// Skips a knot as a whole: the reasons are those of the moment before.
  private func skip(_ pebbles: [Int], into decisions: inout Decisions) {
    for pebble in pebbles {
      let awaited = graph.pebbles(awaitedBy: pebble, atMost: Self.mostNamed)
      state.stalls[UInt32(pebble)] = awaited.map(UInt32.init)
    }
    state.settleLog?.knotFound()
    for pebble in pebbles { state.skip(pebble, .skippedByStall, at: time, into: &decisions) }
  }

  /// Nothing but predicates is left to decide `pebble`, and nothing will evaluate them again: here,
  /// and only here, they count as false. Behind a `!` that may make the condition true.
  private func settleByPredicatesAlone(_ pebble: Int, into decisions: inout Decisions) {
    if graph.valueWithPredicatesFalse(of: pebble) {
      let isDominant = state.network.kinds[pebble] == .any
      GateCounter.close(state.pebbles[pebble].remaining, isDominant: isDominant)
      state.readyInStall[UInt32(pebble)] = time
      decisions.ready.append(UInt32(pebble))
    } else {
      state.skip(pebble, .skippedByPredicate, at: time, into: &decisions)
    }
  }
}

extension ReadinessState {
  /// Settles a stall, see `StallResolver`. The run must be at rest.
  package func resolveStall(
    _ operands: OperandIndex, at time: UInt64, into decisions: inout Decisions
  ) {
    var resolver = StallResolver(self, operands, at: time)
    resolver.resolve(into: &decisions)
  }
}
