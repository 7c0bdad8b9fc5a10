import Pebbles

/// Stalls, in all runs that have come to rest at once.
extension CutOff {
  /// Skips what waits for itself, and for nothing that can become decided otherwise; and so on with
  /// what that decides, in one stall. What becomes ready in it does not start yet, and what waits
  /// for that goes on waiting.
  ///
  /// - Returns: Whether anything stalls.
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

  /// Where each pebble waits for none but pebbles that end in a stall, and that wait in the same
  /// way: the greatest fixpoint. All of them are skipped in this stall, as there is nothing else
  /// that could become of them.
  private func waiting(
    where isAtRest: BooleanFunction, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> [BooleanFunction] {
    // Of gates, and of pebbles for those that read them: where they are decided, or wait so.
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
