import Pebbles

/// Kleene's tables for runs with *caught* or *late* pebbles; see `CutOff`.
extension CutOff {
  /// Applies Kleene's tables until a fixpoint is reached.
  mutating func propagate(_ run: inout SymbolicRun) throws(DiagramLimitReached) {
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for row in run.order { hasChanged = try update(row, &run) || hasChanged }
      if !run.hasCycles { break }
    }
  }

  private mutating func update(
    _ row: Int, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> Bool {
    try run.diagram.takeSteps(1)
    let network = run.model.pond.network
    if network.kind(ofRow: row) == .pebbleCase {
      let (pebble, outcomes) = (network.cases[row].pebble, network.cases[row].name.outcomes)
      let isOutcome = try known(pebble, outcomes, &run)
      let isOther = try known(pebble, outcomes.complement, &run)
      let value = try run.value(ofCase: row, isOutcome, isOther)
      let hasChanged = value.isTrue != isTrue[row] || value.isFalse != isFalse[row]
      (isTrue[row], isFalse[row]) = (value.isTrue, value.isFalse)
      return hasChanged
    }
    var trues = run.constants[row, default: []].map { BooleanFunction($0) }
    var falses = trues.map(!)
    for operand in run.operands(of: row) {
      let source = Int(operand.source)
      if source < started.count {
        trues.append(try known(source, operand.outcomes, &run))
        falses.append(try known(source, operand.outcomes.complement, &run))
      } else {
        let isPlain = operand.outcomes.contains(.succeeded)
        trues.append(isPlain ? isTrue[source] : isFalse[source])
        falses.append(isPlain ? isFalse[source] : isTrue[source])
      }
    }
    let isAll = run.model.pond.network.kinds[row] == .all
    let value = isAll ? try run.diagram.all(trues) : try run.diagram.any(trues)
    let opposite = isAll ? try run.diagram.any(falses) : try run.diagram.all(falses)
    let hasChanged = value != isTrue[row] || opposite != isFalse[row]
    isTrue[row] = value
    isFalse[row] = opposite
    guard row < started.count else { return hasChanged }
    return try updateOutcome(of: row, &run) || hasChanged
  }

  /// Returns the scenarios where the outcome of a pebble is known and is one of the given outcomes.
  private func known(
    _ pebble: Int, _ outcomes: OutcomeSet, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> BooleanFunction {
    var parts: [BooleanFunction] = []
    if outcomes.contains(.succeeded) { parts.append(succeeded[pebble]) }
    if outcomes.contains(.failed) { parts.append(progress.failed[pebble]) }
    if outcomes.contains(.skipped) { parts.append(progress.skipped[pebble]) }
    return try run.diagram.any(parts)
  }

  private mutating func updateOutcome(
    of pebble: Int, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> Bool {
    guard let ending = run.pebbles[pebble] else { throw DiagramLimitReached() }
    let isDecided = try run.diagram.any([
      isFalse[pebble], stalled[pebble], progress.disabled[pebble],
    ])
    let isSkipped = try run.diagram.and(ending.skipped, isDecided)
    let hasStarted = try self.hasStarted(pebble, ending, &run)
    let hasEnded = try self.hasEnded(pebble, hasStarted, &run)
    let (hasSucceeded, hasFailed) = try run.completions(of: pebble, where: hasEnded)
    let hasChanged =
      hasSucceeded != succeeded[pebble] || hasFailed != progress.failed[pebble]
      || isSkipped != progress.skipped[pebble] || hasStarted != started[pebble]
    started[pebble] = hasStarted
    progress.skipped[pebble] = isSkipped
    succeeded[pebble] = hasSucceeded
    progress.failed[pebble] = hasFailed
    return hasChanged
  }

  private func hasStarted(
    _ pebble: Int, _ ending: SymbolicPebble, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> BooleanFunction {
    // Outputs that are given to a run exist before anything can cancel the run.
    if run.bodies[pebble] == nil { return ending.ran }
    guard isStarting else { return started[pebble] }
    var starts = try run.diagram.and(ending.ran, isTrue[pebble])
    if isAnytime {
      guard let caught = run.caught[pebble] else { throw DiagramLimitReached() }
      starts = try run.diagram.and(starts, where: caught, is: false)
    }
    guard isHalted != .never else { return starts }
    return try run.diagram.or(started[pebble], run.diagram.and(starts, !isHalted))
  }

  private func hasEnded(
    _ pebble: Int, _ started: BooleanFunction, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard hasLate, !isEnding, run.bodies[pebble] != nil else { return started }
    guard let late = run.late[pebble] else { throw DiagramLimitReached() }
    return try run.diagram.and(started, where: late, is: false)
  }
}
