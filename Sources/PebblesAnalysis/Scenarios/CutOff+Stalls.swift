import Pebbles

/// Functions that settle stalls in all runs that have come to rest.
extension CutOff {
  /// Settles one stall. The pebbles that wait for themselves, directly or through others, are
  /// skipped if nothing else can decide their conditions.
  ///
  /// Pebbles that are then left waiting only for themselves are skipped as well.
  ///
  /// Pebbles that become ready because of the stall do not start yet, and pebbles that wait for
  /// them keep waiting.
  ///
  /// - Returns: Whether any pebble stalls.
  mutating func settleStall(
    where isAtRest: BooleanFunction, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> Bool {
    isStarting = false
    var isAny = false
    while true {
      let waits = try waiting(where: isAtRest, &run)
      var hasChanged = false
      for pebble in stalled.indices where waits[pebble] != .never {
        let all = try run.diagram.or(stalled[pebble], waits[pebble])
        if all != stalled[pebble] {
          stalled[pebble] = all
          hasChanged = true
        }
      }
      guard hasChanged else { return isAny }
      isAny = true
      try propagate(&run)
    }
  }

  /// Returns, for each pebble, the scenarios where it belongs to the stall.
  ///
  /// A pebble belongs to the stall only if it also stalls in a run that is not cut off, and if each
  /// row that it depends on is decided or belongs to the stall as well. The results are the largest
  /// sets with these properties. All pebbles of the stall are skipped, because nothing else can
  /// happen to them.
  private func waiting(
    where isAtRest: BooleanFunction, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> [BooleanFunction] {
    // For each row, the scenarios where it is decided, or belongs to the stall. The row of a pebble
    // is decided once the pebble has ended.
    var isClosed = [BooleanFunction](repeating: .always, count: isTrue.count)
    var waits = [BooleanFunction](repeating: .never, count: started.count)
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for row in run.order {
        try run.diagram.takeSteps(1)
        let sources = run.sources(of: row).map { isClosed[$0] }
        var value: BooleanFunction
        if row < started.count {
          guard let ending = run.pebbles[row] else { throw DiagramLimitReached() }
          let hasEnded = try run.diagram.any([
            succeeded[row], progress.failed[row], progress.skipped[row],
          ])
          value = hasEnded
          if ending.stalled != .never {
            let canStall = try run.diagram.all([isAtRest, ending.stalled, !hasEnded])
            if canStall != .never {
              waits[row] = try run.diagram.and(canStall, run.diagram.all(sources))
              value = try run.diagram.or(hasEnded, waits[row])
            }
          }
        } else {
          value = try run.diagram.any([isTrue[row], isFalse[row], run.diagram.all(sources)])
        }
        if value != isClosed[row] {
          isClosed[row] = value
          hasChanged = true
        }
      }
    }
    return waits
  }
}
