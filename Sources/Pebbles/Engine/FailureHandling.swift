/// Whether a pebble takes care of the failure of another one: for `check()`, and for the policies
/// that cancel a run.
package enum FailureHandling: Hashable, Sendable {
  /// A pebble that reads it has run, or is running.
  case handled
  /// This pebble may still run, and would handle it. Others may as well.
  case mayBeHandled(by: Int)
  case unhandled
}

/// Who handles failures: the one place that says what that means.
///
/// A failure is handled when a pebble that *reads* it ran: one that has an atom on the failed
/// pebble, whichever outcomes that accepts. A reader that was skipped
/// because of the failure hands it on: who reads that skip, and runs, handles the failure too; and
/// so on. A reader is skipped *because* of what it reads if an atom on that is false.
/// What was cancelled, or disabled, hands on
/// nothing.
///
/// So handling follows from how pebbles end, whenever they do: once a failure is handled, or
/// unhandled, it stays so.
///
/// The graph of who hands on to whom goes along the edges of the network, so that readers of a part
/// that many conditions share are found through that once, however many failures lead there. It
/// only grows, as pebbles are skipped, so it is condensed as it is searched: what hands on to each
/// other is one group from then on, and so is what hands on to a single other with that. What leads
/// nowhere is left out for good.
///
/// Takes each edge once, in all questions of a run together. What may still change is asked anew:
/// from the failure, past the groups that could hand on elsewhere as well, to the pebble that may
/// handle it.
package struct FailureHandlers: Sendable {
  /// Where readers are looked for.
  fileprivate enum Place: Hashable {
    /// A pebble that has failed, or was skipped.
    case pebble(Int)
    /// An inner gate, below which such a pebble stands.
    case gate(Way)
  }

  /// A gate above a pebble that has failed, or was skipped.
  fileprivate struct Way: Hashable {
    let gate: Int

    /// Whether the atom on that pebble is false, so that a reader which is skipped was so because
    /// of it.
    let isFalse: Bool
  }

  /// Places whose failures, or skips, are handled all or none.
  fileprivate struct Group {
    /// The ways up that have not been looked at, first to last from the end, or lead to readers of
    /// which is not known yet that they were skipped. A group has none any more when it joins
    /// another one.
    var ways: [Way]

    /// Where it goes on: gates, and pebbles that were skipped because of it, but for those that
    /// lead nowhere.
    var onward: [Place] = []

    var known: FailureHandling?
    var isOnPath = false

    /// The group that it has become a part of.
    var joined: Int?
  }

  private let network: ReadinessNetwork
  private var groups: [Group] = []
  private var numbers: [Place: Int] = [:]

  package init(_ network: ReadinessNetwork) {
    self.network = network
  }

  /// Whether the failure of a pebble is handled. While the run goes on, a pebble that may still run
  /// can hide that another one does.
  ///
  /// - Parameters:
  ///   - pebble: A pebble that has failed.
  ///   - status: How each pebble stands. May change from call to call, forwards.
  ///   - caseHolds: Whether the case of a row holds, of a pebble that has settled.
  /// - Returns: Whether a pebble handles it, or may.
  package mutating func handling(
    ofFailure pebble: Int, status: (Int) -> PebbleStatus, caseHolds: (Int) -> Bool
  ) -> FailureHandling {
    var path: [Int] = []
    enter(group(of: .pebble(pebble), status, caseHolds), &path)
    while let last = path.last {
      switch groups[last].handling(below: network.pebbleCount, status) {
      case nil:
        handOn(&path, status, caseHolds)
      case .unhandled?:
        groups[path.removeLast()].isOnPath = false
        if let outer = path.last { groups[outer].onward.removeLast() }
      case let handling?:
        for group in path {
          groups[group].known = handling
          groups[group].isOnPath = false
        }
        return handling
      }
    }
    return .unhandled
  }

  /// The same of a run under way, or over.
  package mutating func handling(
    ofFailure pebble: Int, in state: ReadinessState
  ) -> FailureHandling {
    handling(
      ofFailure: pebble, status: state.status(of:),
      caseHolds: { state.value(ofGate: $0) == true })
  }

  private mutating func enter(_ group: Int, _ path: inout [Int]) {
    groups[group].isOnPath = true
    path.append(group)
  }

  /// Goes on with the last place that the last group of the path leads to.
  private mutating func handOn(
    _ path: inout [Int], _ status: (Int) -> PebbleStatus, _ caseHolds: (Int) -> Bool
  ) {
    guard let last = path.last, let place = groups[last].onward.last else { return }
    let next = group(of: place, status, caseHolds)
    if next == last {
      groups[last].onward.removeLast()
    } else if groups[next].isOnPath {
      groups[next].onward.removeLast()
      while let inner = path.last, inner != next { join(path.removeLast(), to: next) }
    } else {
      if groups[last].onward.count == 1 { join(path.removeLast(), to: next) }
      enter(next, &path)
    }
  }

  /// Makes a group a part of another one, to which its last place led.
  private mutating func join(_ group: Int, to other: Int) {
    assert(groups[group].ways.isEmpty)
    groups[group].onward.removeLast()
    groups[group].joined = other
    var moved: [Place] = []
    swap(&moved, &groups[group].onward)
    // The shorter list is moved, so that in nested cycles none is moved again and again.
    if moved.count > groups[other].onward.count { swap(&moved, &groups[other].onward) }
    groups[other].onward += moved
  }

  /// The number of the group of a place, which is made if there is none yet.
  private mutating func group(
    of place: Place, _ status: (Int) -> PebbleStatus, _ caseHolds: (Int) -> Bool
  ) -> Int {
    guard var group = numbers[place] else {
      numbers[place] = groups.count
      let ways =
        switch place {
        case .pebble(let pebble): network.ways(from: pebble, after: status(pebble), caseHolds)
        case .gate(let way):
          network.edges(from: way.gate).map { Way(gate: $0.gate, isFalse: way.isFalse) }
        }
      groups.append(Group(ways: ways.reversed()))
      return groups.count - 1
    }
    while let next = groups[group].joined {
      // So that the way is half as long the next time.
      groups[group].joined = groups[next].joined ?? next
      group = next
    }
    return group
  }
}

extension ReadinessNetwork {
  /// The gates right above a pebble that has settled.
  fileprivate func ways(
    from pebble: Int, after status: PebbleStatus, _ caseHolds: (Int) -> Bool
  ) -> [FailureHandlers.Way] {
    guard let event = status.event else { return [] }
    var ways = edges(from: pebble).filter { !cases.rows.contains($0.gate) }.map { edge in
      FailureHandlers.Way(gate: edge.gate, isFalse: !edge.outcomes.accepts(event))
    }
    for row in cases.rows(of: pebble) {
      let isPossible = cases[row].name.outcomes.accepts(event)
      for edge in edges(from: row) {
        // With its own outcome a case holds or does not; with another one it does not.
        let isNegated = edge.outcomes.contains(.failed)
        let isFalse = isPossible ? caseHolds(row) == isNegated : !isNegated
        ways.append(FailureHandlers.Way(gate: edge.gate, isFalse: isFalse))
      }
    }
    return ways
  }
}

extension FailureHandlers.Group {
  /// What its own readers say, or has been found out and is still so.
  ///
  /// - Returns: `nil` if that depends on where it leads.
  mutating func handling(
    below pebbleCount: Int, _ status: (Int) -> PebbleStatus
  ) -> FailureHandling? {
    switch known {
    case .handled?, .unhandled?: return known
    case .mayBeHandled(let reader)? where status(reader) == .waiting: return known
    case .mayBeHandled?, nil: break
    }
    while let way = ways.last {
      guard way.gate < pebbleCount else {
        onward.append(.gate(way))
        ways.removeLast()
        continue
      }
      switch status(way.gate) {
      case .running, .succeeded, .failed: return .handled
      case .waiting: return .mayBeHandled(by: way.gate)
      case .skippedByCancellation, .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
        break
      case .skippedByCondition, .skippedByStall:
        if way.isFalse { onward.append(.pebble(way.gate)) }
      }
      ways.removeLast()
    }
    return onward.isEmpty ? .unhandled : nil
  }
}
