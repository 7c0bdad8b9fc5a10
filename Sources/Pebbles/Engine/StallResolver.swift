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
  private let graph: WaitGraph
  private let time: UInt64

  private var visits: [Visit]
  private var frames: [Frame] = []
  private var stack: [Int] = []
  private var visitCount = 0
  private var componentCount = 0

  /// Counts skips, to tell a component whose edges may have changed since it was searched.
  private var skipCount = 0

  /// Tarjan's bookkeeping for one pebble.
  private struct Visit {
    var order = 0  // 0: not visited
    var lowest = 0
    var component = 0  // 0: not in one yet, so still on the stack if visited
    var skipCount = 0
  }

  /// A pebble whose targets are being searched; without a pebble, a list of places to start from.
  private struct Frame {
    let pebble: Int?
    var targets: [Int]
  }

  init(_ state: ReadinessState, _ operands: OperandIndex, at time: UInt64) {
    self.state = state
    self.time = time
    graph = WaitGraph(state: state, operands: operands)
    visits = Array(repeating: Visit(), count: state.network.pebbleCount)
  }

  /// Skips every component that waits only on itself, and what that decides in turn. Those that
  /// wait for a pebble which became ready meanwhile are left alone.
  ///
  /// - Complexity: O(waiting pebbles + their atoms), unless components fall apart again and again.
  mutating func resolve(into decisions: inout Decisions) {
    let pebbles = 0..<state.network.pebbleCount
    frames = [Frame(pebble: nil, targets: pebbles.reversed().filter(graph.isWaiting))]
    while var frame = frames.popLast() {
      if let target = frame.targets.popLast() {
        let source = frame.pebble
        frames.append(frame)
        follow(from: source, to: target, decisions)
      } else if let pebble = frame.pebble {
        leave(pebble, into: &decisions)
      }
    }
    state.checkInvariants()
  }

  private mutating func follow(
    from source: Int?, to target: Int, _ decisions: borrowing Decisions
  ) {
    guard target != WaitGraph.outside, graph.isWaiting(target) else { return }
    if visits[target].order == 0 {
      visitCount += 1
      visits[target] = Visit(order: visitCount, lowest: visitCount, skipCount: skipCount)
      stack.append(target)
      frames.append(Frame(pebble: target, targets: graph.targets(of: target, decisions)))
    } else if visits[target].component == 0, let source {
      visits[source].lowest = min(visits[source].lowest, visits[target].order)
    }
  }

  /// All targets of `pebble` have been searched; if it is the first of its component, that is
  /// complete.
  private mutating func leave(_ pebble: Int, into decisions: inout Decisions) {
    if let parent = frames.last?.pebble {
      visits[parent].lowest = min(visits[parent].lowest, visits[pebble].lowest)
    }
    guard visits[pebble].lowest == visits[pebble].order else { return }

    componentCount += 1
    var members: [Int] = []
    while let member = stack.popLast() {
      visits[member].component = componentCount
      members.append(member)
      if member == pebble { break }
    }
    if members.contains(where: { visits[$0].skipCount != skipCount }) {
      // Edges only ever disappear, so no member can reach what is still on the stack.
      for member in members { visits[member] = Visit() }
      frames.append(Frame(pebble: nil, targets: members.filter(graph.isWaiting)))
    } else {
      settle(members, into: &decisions)
    }
  }

  private mutating func settle(_ members: [Int], into decisions: inout Decisions) {
    let targets = members.map { graph.targets(of: $0, decisions) }
    let waitsOnlyOnItself = targets.joined().allSatisfy { target in
      target != WaitGraph.outside && visits[target].component == componentCount
    }
    guard waitsOnlyOnItself else { return }

    if targets.joined().isEmpty {
      settleByPredicatesAlone(members[0], into: &decisions)
    } else {
      for (member, targets) in zip(members, targets) {
        state.stalls[UInt32(member)] = targets.map(UInt32.init)
        state.skip(member, .skippedByStall, at: time, into: &decisions)
      }
    }
    skipCount += 1
    for member in members where state.status(of: member).isSettled {
      state.send(.skipped, from: member, cause: UInt32(member), at: time, into: &decisions)
    }
    state.sendPending(at: time, into: &decisions)
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
