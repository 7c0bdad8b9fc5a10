/// A status that indicates whether other pebbles handle a failure. It affects `check()` and the
/// failure policies that cancel a run.
package enum FailureHandling: Hashable, Sendable {
  /// A failure that is handled, because a pebble that reads it is running or has run.
  case handled
  /// A failure that the given pebble will handle if that pebble runs. Other pebbles may be able to
  /// handle the failure as well.
  case mayBeHandled(by: Int)
  case unhandled
}

/// A search for the pebbles that handle the failures of a run. This type alone defines what
/// *handled* means.
///
/// A pebble *reads* the failure of another pebble if its condition has an atom on the failed
/// pebble, whichever outcomes the atom accepts. A failure is handled if a pebble that reads it is
/// running or has run. A reader that was skipped because of the failure passes the failure on. The
/// failure is then handled if a pebble that reads this skip is running or has run, and so on. A
/// reader is skipped *because* of a pebble that it reads if one of its atoms on that pebble is
/// false. A reader passes nothing on if it was skipped for another reason: the run was cancelled,
/// the reader was disabled or not requested, another pebble may never release a resource, or a
/// service stays down.
///
/// Handling therefore depends on how pebbles end, never on timing. Once a failure is handled or
/// unhandled, it remains so.
///
/// Failures are passed on along the edges of the network. The readers behind a shared sub-condition
/// are therefore found only once, even if many failures lead there. As pebbles are skipped, the
/// graph of these edges grows and never shrinks, so the search can condense it. All places that
/// pass failures to each other become one group. A group that passes failures to only one other
/// group joins that group. A place that leads nowhere is removed permanently.
///
/// Over all calls for one run, each edge is followed once. Only the groups on the path from the
/// failure to a pebble that may still handle it are searched again, because their result may
/// change.
package struct FailureHandlers: Sendable {
  /// A pebble or gate at which the search continues, because it passes failures on.
  fileprivate enum Place: Hashable {
    /// A pebble that has failed, or was skipped.
    case pebble(Int)
    /// An inner gate above a failed or skipped pebble.
    case gate(GateVisit)
  }

  /// A gate above a failed or skipped pebble, together with the value of the atom through which the
  /// search reached the gate.
  fileprivate struct GateVisit: Hashable {
    let gate: Int

    /// Whether the atom on the pebble is false. If so, a skipped reader counts as skipped
    /// because of the pebble.
    let isFalse: Bool
  }

  /// A group of places whose failures or skips are either all handled or all unhandled.
  fileprivate struct Group {
    /// The visits to examine, in reverse order. A visit to a reader that may still run stays in the
    /// list. The list is empty by the time the group joins another group.
    var visits: [GateVisit]

    /// The places to which the group passes its failures: gates, and pebbles skipped because of
    /// the group. Places that lead nowhere have been removed.
    var onward: [Place] = []

    var known: FailureHandling?
    var isOnPath = false

    /// The group that this group has joined; `nil` if this group has not joined another group.
    var joined: Int?
  }

  private let network: ReadinessNetwork
  private var groups: [Group] = []
  private var numbers: [Place: Int] = [:]

  package init(_ network: ReadinessNetwork) {
    self.network = network
  }

  /// Returns whether the failure of a pebble is handled.
  ///
  /// While the run is under way, the result can be `mayBeHandled` even if a pebble that handles the
  /// failure is already running.
  ///
  /// - Parameters:
  ///   - pebble: A pebble that has failed.
  ///   - status: A function that returns the status of a pebble. The status may change between
  ///     calls.
  ///   - caseHolds: A function that looks up whether the case represented by a row holds. Called
  ///     only for cases of settled pebbles.
  /// - Returns: Whether a pebble handles the failure, or may still handle it.
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

  /// Returns whether the failure of a pebble is handled in a running or finished run.
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

  /// Continues the search at the last onward place of the last group in the path. Joins groups that
  /// pass failures to each other. Also joins a group to another one if it passes failures only to
  /// that group.
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

  /// Joins a group to the group that contains its last onward place.
  private mutating func join(_ group: Int, to other: Int) {
    assert(groups[group].visits.isEmpty)
    groups[group].onward.removeLast()
    groups[group].joined = other
    var moved: [Place] = []
    swap(&moved, &groups[group].onward)
    // Moving the shorter list avoids moving the same places repeatedly in nested cycles.
    if moved.count > groups[other].onward.count { swap(&moved, &groups[other].onward) }
    groups[other].onward += moved
  }

  /// Returns the number of the group that contains a place, creating the group if necessary.
  private mutating func group(
    of place: Place, _ status: (Int) -> PebbleStatus, _ caseHolds: (Int) -> Bool
  ) -> Int {
    guard var group = numbers[place] else {
      numbers[place] = groups.count
      let visits =
        switch place {
        case .pebble(let pebble): network.visits(from: pebble, after: status(pebble), caseHolds)
        case .gate(let visit):
          network.edges(from: visit.gate).map { GateVisit(gate: $0.gate, isFalse: visit.isFalse) }
        }
      groups.append(Group(visits: visits.reversed()))
      return groups.count - 1
    }
    while let next = groups[group].joined {
      // Path compression: halves the way for the next lookup.
      groups[group].joined = groups[next].joined ?? next
      group = next
    }
    return group
  }
}

extension ReadinessNetwork {
  /// Returns the gates directly above a settled pebble, each with the value of the atom on the
  /// pebble.
  fileprivate func visits(
    from pebble: Int, after status: PebbleStatus, _ caseHolds: (Int) -> Bool
  ) -> [FailureHandlers.GateVisit] {
    guard let event = status.event else { return [] }
    var visits = edges(from: pebble).filter { !cases.rows.contains($0.gate) }.map { edge in
      FailureHandlers.GateVisit(gate: edge.gate, isFalse: !edge.outcomes.accepts(event))
    }
    for row in cases.rows(of: pebble) {
      let isPossible = cases[row].name.outcomes.accepts(event)
      for edge in edges(from: row) {
        // A case can only hold if its pebble ended with the outcome of the case.
        let isNegated = edge.outcomes.contains(.failed)
        let isFalse = isPossible ? caseHolds(row) == isNegated : !isNegated
        visits.append(FailureHandlers.GateVisit(gate: edge.gate, isFalse: isFalse))
      }
    }
    return visits
  }
}

extension FailureHandlers.Group {
  /// Returns whether the failures of the group are handled, according to the group's own readers or
  /// to an earlier result that is still valid.
  ///
  /// - Returns: The handling, or `nil` if it depends on the places to which the group leads.
  mutating func handling(
    below pebbleCount: Int, _ status: (Int) -> PebbleStatus
  ) -> FailureHandling? {
    switch known {
    case .handled?, .unhandled?: return known
    case .mayBeHandled(let reader)? where status(reader) == .waiting: return known
    case .mayBeHandled?, nil: break
    }
    while let visit = visits.last {
      guard visit.gate < pebbleCount else {
        onward.append(.gate(visit))
        visits.removeLast()
        continue
      }
      switch status(visit.gate) {
      case .running, .succeeded, .failed: return .handled
      case .waiting: return .mayBeHandled(by: visit.gate)
      case .skippedByCancellation, .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
        break
      case .skippedByCondition, .skippedByStall:
        if visit.isFalse { onward.append(.pebble(visit.gate)) }
      }
      visits.removeLast()
    }
    return onward.isEmpty ? .unhandled : nil
  }
}
