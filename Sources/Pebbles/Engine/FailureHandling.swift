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
/// The graph of who hands on to whom only grows, as pebbles are skipped, so it is condensed as it
/// is searched: pebbles that hand on to each other are one group from then on, and so is one that
/// hands on to a single other with that. What leads nowhere is left out for good.
///
/// Looks at each reader once, in all questions of a run together. What may still change is asked
/// anew: from the failure, past the groups that could hand on elsewhere as well, to the pebble that
/// may handle it.
package struct FailureHandlers: Sendable {
  /// Pebbles whose failures, or skips, are handled all or none.
  fileprivate struct Group {
    /// How the one pebble ended that has readers here.
    let event: Event

    /// Those of which is not known yet that they were skipped, first to last from the end. A group
    /// has none any more when it joins another one.
    var readers: [ReadinessNetwork.Reader]

    /// The pebbles that were skipped because of it, but for those whose readers are of no use.
    var skipped: [Int] = []

    var known: FailureHandling?
    var isOnPath = false

    /// The group that it has become a part of.
    var joined: Int?
  }

  private let network: ReadinessNetwork
  private var groups: [Group] = []
  private var numbers: [Int: Int] = [:]

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
    enter(group(of: pebble, after: .failed), &path)
    while let last = path.last {
      switch groups[last].handling(status, caseHolds) {
      case nil:
        handOn(&path)
      case .unhandled?:
        groups[path.removeLast()].isOnPath = false
        if let outer = path.last { groups[outer].skipped.removeLast() }
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

  /// Goes on with a pebble that was skipped because of the last group of the path.
  private mutating func handOn(_ path: inout [Int]) {
    guard let last = path.last, let pebble = groups[last].skipped.last else { return }
    let next = group(of: pebble, after: .skipped)
    if next == last {
      groups[last].skipped.removeLast()
    } else if groups[next].isOnPath {
      groups[next].skipped.removeLast()
      while let inner = path.last, inner != next { join(path.removeLast(), to: next) }
    } else {
      if groups[last].skipped.count == 1 { join(path.removeLast(), to: next) }
      enter(next, &path)
    }
  }

  /// Makes a group a part of another one, to which its last skipped pebble led.
  private mutating func join(_ group: Int, to other: Int) {
    assert(groups[group].readers.isEmpty)
    groups[group].skipped.removeLast()
    groups[group].joined = other
    var moved: [Int] = []
    swap(&moved, &groups[group].skipped)
    // The shorter list is moved, so that in nested cycles none is moved again and again.
    if moved.count > groups[other].skipped.count { swap(&moved, &groups[other].skipped) }
    groups[other].skipped += moved
  }

  /// The number of the group of a pebble, which is made if there is none yet.
  private mutating func group(of pebble: Int, after event: Event) -> Int {
    guard var group = numbers[pebble] else {
      numbers[pebble] = groups.count
      groups.append(Group(event: event, readers: network.readers(of: pebble).reversed()))
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

extension FailureHandlers.Group {
  /// What its own readers say, or has been found out and is still so.
  ///
  /// - Returns: `nil` if that depends on those who read what was skipped because of it.
  mutating func handling(
    _ status: (Int) -> PebbleStatus, _ caseHolds: (Int) -> Bool
  ) -> FailureHandling? {
    switch known {
    case .handled?, .unhandled?: return known
    case .mayBeHandled(let reader)? where status(reader) == .waiting: return known
    case .mayBeHandled?, nil: break
    }
    while let reader = readers.last {
      switch status(reader.pebble) {
      case .running, .succeeded, .failed: return .handled
      case .waiting: return .mayBeHandled(by: reader.pebble)
      case .skippedByCancellation, .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
        break
      case .skippedByCondition, .skippedByStall:
        if reader.isSkippedBecause(of: event, caseHolds: caseHolds) {
          skipped.append(reader.pebble)
        }
      }
      readers.removeLast()
    }
    return skipped.isEmpty ? .unhandled : nil
  }
}
