public import Pebbles

/// Whether it matters that pebbles were skipped. It is not part of a record, for it follows from
/// how all pebbles ended.
extension RecordedRun {
  /// For each pebble, in definition order, whether it matters that it was skipped; `nil` for one
  /// that ran.
  ///
  /// - Complexity: O(pebbles + atoms).
  public var skipKinds: [SkipKind?] {
    let statuses = pebbles.map { PebbleStatus($0.outcome) }
    guard statuses.contains(where: { $0.event == .skipped }) else {
      return Array(repeating: nil, count: statuses.count)
    }
    let cases = heldCases
    let blocked = BlockedPebbles(model.pond.network, statuses, caseHolds: cases.contains)
    return statuses.indices.map { blocked.skipKind(of: $0, statuses[$0]) }
  }

  /// For each pebble, in definition order, with which others it is counted and listed.
  ///
  /// - Parameter skipKinds: Those of the run.
  /// - Returns: A group for each.
  package func groups(_ skipKinds: [SkipKind?]) -> [OutcomeGroup] {
    zip(pebbles, skipKinds).map { pebble, kind in
      OutcomeGroup(pebble.outcome.event, isKept: pebble.keptFrom != nil, kind)
    }
  }

  /// Some words for a group of the pebbles of this run: of one that was read before its end, those
  /// that count as cancelled had not ended.
  package func name(of group: OutcomeGroup) -> String {
    group == .cancelled && unended != nil ? "not ended" : group.name
  }

  /// The rows of the cases that hold.
  var heldCases: Set<Int> {
    let network = model.pond.network
    return Set(
      network.cases.rows.filter { row in
        let pebble = network.cases[row].pebble
        return pebbles[pebble].cases.contains(network.cases[row].name)
      })
  }

  /// The pebbles that were to run and could not, in definition order: those of `Report.blocked`.
  ///
  /// - Complexity: O(pebbles + atoms).
  public var blocked: [RecordedPebble] {
    zip(pebbles, skipKinds).filter { $1 == .blocked }.map { $0.0 }
  }

  /// Whether the pebble was to run, and could not for a failure or a stall.
  ///
  /// - Complexity: O(pebbles + atoms).
  public func isBlocked(_ pebble: some PebbleIdentifying) -> Bool {
    let name = pebble.pebbleID.description
    return zip(pebbles, skipKinds).first { $0.0.name == name }?.1 == .blocked
  }
}

extension PebbleStatus {
  /// How a pebble stands that ended in this way; `waiting` if it is said not to have been in it.
  init(_ outcome: RecordedOutcome) {
    switch outcome {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .skipped(let reason): self.init(reason)
    }
  }

  private init(_ reason: SkipReason) {
    switch reason.kind {
    case .conditionFalse: self = .skippedByCondition
    case .stalled: self = .skippedByStall
    case .cancelled: self = .skippedByCancellation
    case .disabled: self = .skippedAsDisabled
    case .notAskedFor: self = .skippedAsNotAskedFor
    case .resourceHeld: self = .skippedByHolder
    case .notInRun: self = .waiting
    }
  }
}
