import Pebbles

/// What is known at the latest moment at which a run can be cut off, if some pebbles are caught.
///
/// It is part of what is known in the end of the run that goes on: Kleene's tables are monotone. So
/// how pebbles end is taken from there, and only whether that is known has to be found out.
struct CutOff {
  /// By row: where it is known to be true, and to be false. Of pebbles: of their conditions.
  private var isTrue: [BooleanFunction]
  private var isFalse: [BooleanFunction]

  /// By pebble: where it has started.
  private var started: [BooleanFunction]
  private var succeeded: [BooleanFunction]
  private(set) var progress: SymbolicRun.Progress

  /// By pebble: where it is skipped in a stall.
  private var endsInStall: [BooleanFunction]

  /// Where a stall may have been settled.
  private var hasStalled = BooleanFunction.never

  init(_ run: inout SymbolicRun) throws(DiagramLimitReached) {
    let network = run.model.pond.network
    isTrue = Array(repeating: .never, count: network.rowCount)
    isFalse = isTrue
    started = Array(repeating: .never, count: network.pebbleCount)
    succeeded = started
    progress = try run.progressInTheEnd()
    progress.failed = started
    progress.skipped = progress.disabled
    endsInStall = started
    for pebble in started.indices {
      guard let ending = run.pebbles[pebble] else { throw DiagramLimitReached() }
      endsInStall[pebble] = ending.stalled
    }
  }

  /// How each pebble ends if the run is cut off.
  var pebbles: [SymbolicPebble?] {
    started.indices.map { pebble in
      var ending = SymbolicPebble()
      ending.ran = started[pebble]
      ending.skipped = !started[pebble]
      ending.failed = progress.failed[pebble]
      ending.succeeded = succeeded[pebble]
      return ending
    }
  }

  /// Finds out all that can be known.
  mutating func settle(_ run: inout SymbolicRun) throws(DiagramLimitReached) {
    try propagate(&run)
    guard endsInStall.contains(where: { $0 != .never }) else { return }
    hasStalled = try isAtRest(&run)
    try propagate(&run)
  }

  /// Where none is caught that can run before anything stalls.
  private func isAtRest(_ run: inout SymbolicRun) throws(DiagramLimitReached) -> BooleanFunction {
    var areFree: [BooleanFunction] = []
    for pebble in started.indices {
      guard let ending = run.pebbles[pebble] else { throw DiagramLimitReached() }
      let isReady = try run.diagram.and(ending.ran, isTrue[pebble])
      areFree.append(!(try run.diagram.and(isReady, !started[pebble])))
    }
    return try run.diagram.all(areFree)
  }

  /// Kleene's tables, to their fixpoint.
  private mutating func propagate(_ run: inout SymbolicRun) throws(DiagramLimitReached) {
    let network = run.model.pond.network
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for row in run.order where row < network.gateCount {
        if try update(row, &run) { hasChanged = true }
      }
      if !run.hasCycles { break }
    }
  }

  private mutating func update(
    _ row: Int, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> Bool {
    try run.diagram.takeSteps(1)
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

  /// Where the outcome of a pebble is known, and one of some.
  private func known(
    _ pebble: Int, _ outcomes: OutcomeSet, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> BooleanFunction {
    var parts: [BooleanFunction] = []
    if outcomes.contains(.completed) {
      parts.append(started[pebble])
    } else if outcomes.contains(.succeeded) {
      parts.append(succeeded[pebble])
    } else if outcomes.contains(.failed) {
      parts.append(progress.failed[pebble])
    }
    if outcomes.contains(.skipped) { parts.append(progress.skipped[pebble]) }
    return try run.diagram.any(parts)
  }

  private mutating func updateOutcome(
    of pebble: Int, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> Bool {
    guard let ending = run.pebbles[pebble], let caught = run.caught[pebble] else {
      throw DiagramLimitReached()
    }
    let stalled = try run.diagram.and(endsInStall[pebble], hasStalled)
    let isReady = try run.diagram.and(ending.ran, run.diagram.or(isTrue[pebble], stalled))
    let hasStarted = try run.diagram.and(isReady, where: caught, is: false)
    let isDecided = try run.diagram.any([isFalse[pebble], stalled, progress.disabled[pebble]])
    let isSkipped = try run.diagram.and(ending.skipped, isDecided)
    let hasChanged = hasStarted != started[pebble] || isSkipped != progress.skipped[pebble]
    started[pebble] = hasStarted
    progress.skipped[pebble] = isSkipped
    guard hasChanged else { return false }
    let body = run.bodies[pebble]
    succeeded[pebble] = try run.diagram.and(hasStarted, where: body, is: true)
    progress.failed[pebble] = try run.diagram.and(hasStarted, where: body, is: false)
    return true
  }
}
