/// A resolver for stalls. In a stall, nothing runs, nothing is ready, and the waiting pebbles wait
/// for each other.
///
/// The waiting pebbles and the undecided atoms between them form a graph. A strongly connected
/// component that waits only for itself can never be decided. It is skipped as a whole, which may
/// decide other components. A component must be examined after all components that it waits for,
/// and the search yields components in this order. Skipping a component may remove edges of nodes
/// that the search has visited but not yet assigned to a component. If a component contains such
/// nodes, it is searched again.
///
/// Components that wait only for themselves cannot influence each other, so their order does not
/// matter. The result is the same as if each round skipped all such components at once.
struct StallResolver {
  private let state: ReadinessState
  private let time: UInt64
  private var graph: PebbleWaitGraph
  private var components: StronglyConnectedComponents

  /// The number of visits at the time of the last skip. Nodes that were visited before that skip
  /// may have lost edges.
  private var visitsBeforeSkip = 0

  /// The maximum number of pebbles named in the reason for a skip.
  private static let mostNamed = 100

  /// The maximum number of undecided operands to examine for one pebble. The limit is exceeded only
  /// if no awaited pebble has been found by then. Without this limit, all gates behind a shared
  /// gate would be examined for each pebble that shares it.
  private static let mostOperands = 1_000

  init(_ state: ReadinessState, _ operands: OperandIndex, at time: UInt64) {
    self.state = state
    self.time = time
    graph = PebbleWaitGraph(state, operands)
    components = StronglyConnectedComponents(nodeCount: state.network.rowCount)
  }

  /// Skips every component that waits only for itself, and passes on the consequences. Components
  /// that wait for a pebble that has become ready in the meantime are not skipped.
  ///
  /// - Complexity: O(pebbles + atoms), unless components repeatedly fall apart during the search.
  ///   Each time a component falls apart, its remaining members are searched again.
  mutating func resolve(into decisions: inout Decisions) {
    for pebble in 0..<state.network.pebbleCount where graph.isOpen(pebble) {
      components.search(from: CollectionOfOne(pebble))
      while let component = components.next(along: graph.openTarget) {
        let members = Array(components.members[component])
        // The last member was visited before the others.
        if let first = members.last, components.order(of: first) <= visitsBeforeSkip {
          components.searchAgain(members.filter(graph.isOpen))
        } else {
          settle(members, into: &decisions)
        }
      }
    }
    state.checkInvariants()
  }

  private mutating func settle(_ members: [Int], into decisions: inout Decisions) {
    // A component that is searched again may have been decided in the meantime.
    guard members.allSatisfy(graph.isOpen), waitOnlyForEachOther(members) else { return }
    let pebbles = members.filter { $0 < state.network.pebbleCount }
    skip(pebbles, into: &decisions)
    visitsBeforeSkip = components.visitCount
    state.sendPending(into: &decisions)
  }

  /// Returns whether all members of a component wait only for each other.
  private func waitOnlyForEachOther(_ members: [Int]) -> Bool {
    let component = components.component(of: members[0])
    return members.allSatisfy { member in
      graph.targets(of: member).allSatisfy { components.component(of: $0) == component }
    }
  }

  /// Skips all pebbles of a cycle together. The reason for each skip lists the pebbles that the
  /// skipped pebble was waiting for.
  private func skip(_ pebbles: [Int], into decisions: inout Decisions) {
    // Nothing settles in this loop, so the undecided operands of a gate are collected only once.
    var targets: [Int: [Int]] = [:]
    for pebble in pebbles {
      let awaited = self.pebbles(awaitedBy: pebble, &targets)
      state.pebbleStalled(pebble, waitingOn: awaited.map(UInt32.init))
    }
    state.settleLog?.cycleFound()
    for pebble in pebbles { state.skip(pebble, .skippedByStall, at: time, into: &decisions) }
  }

  /// Returns the pebbles that a pebble of a cycle directly waits for: at least one, and at most
  /// `mostNamed`. Caches in `known` the rows that each gate waits for.
  private func pebbles(awaitedBy pebble: Int, _ known: inout [Int: [Int]]) -> [Int] {
    func targets(of row: Int) -> [Int] {
      if let rows = known[row] { return rows }
      let rows = Array(graph.targets(of: row))
      if row >= state.network.pebbleCount { known[row] = rows }
      return rows
    }
    var looks = 0
    let awaited = graph.pebbles(awaitedBy: pebble, atMost: Self.mostNamed) { row in
      let rows = targets(of: row).prefix(Self.mostOperands - looks)
      looks += rows.count
      return rows
    }
    guard awaited.isEmpty else { return awaited }
    var row = pebble
    while let next = targets(of: row).first {
      if next < state.network.pebbleCount { return [next] }
      row = next
    }
    return []
  }
}

extension ReadinessState {
  /// Resolves a stall; see `StallResolver`. The run must be at rest.
  package func resolveStall(
    _ operands: OperandIndex, at time: UInt64, into decisions: inout Decisions
  ) {
    var resolver = StallResolver(self, operands, at: time)
    resolver.resolve(into: &decisions)
  }
}

extension ReadinessState {
  /// Settles the pebbles that can be decided only at rest.
  ///
  /// In a cancelled run, all pebbles that have not started are skipped. Otherwise, pebbles that
  /// wait for each other are skipped. The run must be at rest: nothing runs, and nothing will
  /// start.
  ///
  /// - Parameters:
  ///   - operands: The operands that each row waits for.
  ///   - isCancelled: Whether the run has been cancelled.
  ///   - time: The current time, in nanoseconds.
  ///   - decisions: The decisions to which the results are added.
  /// - Returns: Whether the call has settled any pebbles. If not, and the run is not cancelled, all
  ///   remaining pebbles wait for pebbles that are ready but held back.
  /// - Complexity: O(pebbles + atoms), see `StallResolver`.
  @discardableResult
  package func settleAtRest(
    _ operands: @autoclosure () -> OperandIndex, isCancelled: Bool, at time: UInt64,
    into decisions: inout Decisions
  ) -> Bool {
    let before = decisions.settledCount
    if isCancelled {
      cancelRemaining(at: time, into: &decisions)
    } else {
      resolveStall(operands(), at: time, into: &decisions)
    }
    return decisions.settledCount > before
  }
}
