public import Pebbles

/// Queries about the kinds of skips. These kinds are not part of a record, because they follow from
/// the outcomes of all pebbles.
extension RecordedRun {
  /// The kind of each pebble's skip, in definition order; `nil` for a pebble that ran.
  ///
  /// - Complexity: O(pebbles + atoms).
  package var skipKinds: [SkipKind?] {
    let statuses = pebbles.map { PebbleStatus($0.outcome) }
    guard statuses.contains(where: { $0.event == .skipped }) else {
      return Array(repeating: nil, count: statuses.count)
    }
    let cases = heldCases
    let blocked = BlockedPebbles(model.pond.network, statuses, caseHolds: cases.contains)
    return statuses.indices.map { blocked.skipKind(of: $0, statuses[$0]) }
  }

  /// Returns the groups in which the pebbles are counted and listed.
  ///
  /// - Parameter skipKinds: The value of `skipKinds` for this run.
  /// - Returns: One group for each pebble, in definition order.
  package func groups(_ skipKinds: [SkipKind?]) -> [OutcomeGroup] {
    zip(pebbles, skipKinds).map { pebble, kind in
      OutcomeGroup(pebble.outcome.event, isKept: pebble.keptFrom != nil, kind)
    }
  }

  /// Returns the name of an outcome group in this run. If the run was read before its end, the
  /// group of cancelled pebbles is called "not ended".
  package func name(of group: OutcomeGroup) -> String {
    group == .cancelled && unended != nil ? "not ended" : group.name
  }

  /// The network rows of the cases that hold in this run.
  var heldCases: Set<Int> {
    let network = model.pond.network
    return Set(
      network.cases.rows.filter { row in
        let pebble = network.cases[row].pebble
        return pebbles[pebble].cases.contains(network.cases[row].name)
      })
  }

  /// The pebbles that should have run but could not, in definition order, as in `Report.blocked`.
  ///
  /// - Complexity: O(pebbles + atoms).
  public var blocked: [RecordedPebble] {
    zip(pebbles, skipKinds).filter { $1 == .blocked }.map { $0.0 }
  }

  /// Returns whether the pebble should have run but could not, as in `Report.blocked`.
  ///
  /// - Complexity: O(pebbles + atoms).
  public func isBlocked(_ pebble: some PebbleIdentifying) -> Bool {
    let name = pebble.pebbleID.description
    return zip(pebbles, skipKinds).first { $0.0.name == name }?.1 == .blocked
  }
}

extension PebbleStatus {
  /// Creates the status that corresponds to an outcome; `waiting` if the pebble was not in the run.
  init(_ outcome: RecordedOutcome) {
    switch outcome {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .skipped(let reason): self.init(reason)
    }
  }

  private init(_ reason: SkipReason) {
    switch reason {
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
