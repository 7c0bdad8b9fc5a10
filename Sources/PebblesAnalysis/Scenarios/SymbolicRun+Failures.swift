import Pebbles

/// The rule of `FailureHandlers` for all scenarios at once, expressed as Boolean functions.
extension SymbolicRun {
  /// The state of pebbles at some moment, in each scenario.
  struct Progress {
    /// The scenarios in which a given pebble has failed, indexed by pebble.
    var failed: [BooleanFunction]

    /// The scenarios in which a given pebble has been skipped, indexed by pebble. In all other
    /// scenarios, the pebble runs, has run, or may still run.
    var skipped: [BooleanFunction]

    /// The scenarios in which a given pebble takes no part in the run, indexed by pebble.
    var disabled: [BooleanFunction]
  }

  /// Returns the final state, in which all pebbles have settled.
  func progressInTheEnd() throws(DiagramLimitReached) -> Progress {
    var progress = Progress(failed: [], skipped: [], disabled: [])
    for pebble in pebbles {
      guard let pebble else { throw DiagramLimitReached() }
      progress.failed.append(pebble.failed)
      progress.skipped.append(pebble.skipped)
      progress.disabled.append(pebble.disabled)
    }
    return progress
  }

  /// Returns the scenarios with a failure that no pebble handles, now or later.
  mutating func unhandledFailure(
    _ progress: Progress
  ) throws(DiagramLimitReached) -> BooleanFunction {
    try diagram.any(unhandledFailures(progress))
  }

  /// Returns, for each pebble, the scenarios where it has failed and no pebble handles the failure,
  /// now or later.
  mutating func unhandledFailures(
    _ progress: Progress
  ) throws(DiagramLimitReached) -> [BooleanFunction] {
    var handled = Handled(rowCount: model.pond.network.rowCount)
    // Each row comes before the rows that it reads, so one pass suffices if there are no cycles.
    let backwards = Array(order.reversed())
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for row in backwards { hasChanged = try update(&handled, at: row, progress) || hasChanged }
      if !hasCycles { break }
    }
    var unhandled = [BooleanFunction](repeating: .never, count: pebbleCount)
    AnalysisProgress.begin("failures looked at", of: pebbleCount)
    for pebble in 0..<pebbleCount where progress.failed[pebble] != .never {
      AnalysisProgress.reach(pebble)
      let isHandled = try isHandled(.failed, of: pebble, handled)
      unhandled[pebble] = try diagram.and(progress.failed[pebble], !isHandled)
    }
    return unhandled
  }

  /// The scenarios where a failure that is passed on to a given row would be handled, indexed by
  /// row. Because a gate has a row of its own, the readers of a shared gate are examined only once.
  private struct Handled {
    /// The scenarios where a failure that is passed on through a true atom would be handled. A
    /// skipped pebble does not pass on such a failure.
    var throughTrueAtom: [BooleanFunction]

    /// The scenarios where a failure that is passed on through a false atom would be handled.
    var throughFalseAtom: [BooleanFunction]

    init(rowCount: Int) {
      throughTrueAtom = Array(repeating: .never, count: rowCount)
      throughFalseAtom = throughTrueAtom
    }
  }

  /// Computes the scenarios of a row from the scenarios of the rows that read it.
  ///
  /// - Returns: Whether the scenarios have changed.
  private mutating func update(
    _ handled: inout Handled, at row: Int, _ progress: Progress
  ) throws(DiagramLimitReached) -> Bool {
    let network = model.pond.network
    let before = (handled.throughTrueAtom[row], handled.throughFalseAtom[row])
    switch network.kind(ofRow: row) {
    case .pebbleCase: return false
    case .gate:
      let gates = network.edges(from: row).map(\.gate)
      try diagram.takeSteps(1 + gates.count)
      let trueWays = gates.map { handled.throughTrueAtom[$0] }
      let falseWays = gates.map { handled.throughFalseAtom[$0] }
      handled.throughTrueAtom[row] = try diagram.any(trueWays)
      handled.throughFalseAtom[row] = try diagram.any(falseWays)
    case .pebble:
      let runs = !progress.skipped[row]
      let isSkipHandled = try isHandled(.skipped, of: row, handled)
      let isHandedOn = try diagram.and(!progress.disabled[row], isSkipHandled)
      handled.throughTrueAtom[row] = runs
      handled.throughFalseAtom[row] = try diagram.or(runs, isHandedOn)
    }
    return before != (handled.throughTrueAtom[row], handled.throughFalseAtom[row])
  }

  /// Returns the scenarios where the given outcome of a pebble would be handled.
  private mutating func isHandled(
    _ event: Event, of pebble: Int, _ handled: Handled
  ) throws(DiagramLimitReached) -> BooleanFunction {
    let network = model.pond.network
    var ways: [BooleanFunction] = []
    for edge in network.edges(from: pebble) where !network.cases.rows.contains(edge.gate) {
      let isTrue = edge.outcomes.accepts(event)
      ways.append(
        isTrue ? handled.throughTrueAtom[edge.gate] : handled.throughFalseAtom[edge.gate])
    }
    for row in network.cases.rows(of: pebble) where network.isMentioned(row) {
      // A case can only hold if its pebble ended with the outcome of the case.
      let isPossible = network.cases[row].name.outcomes.accepts(event)
      let holds = isPossible ? try value(ofCase: row, .always, .never).isTrue : .never
      for edge in network.edges(from: row) {
        let isFalse = edge.outcomes.contains(.failed) ? holds : !holds
        ways.append(try diagram.and(!isFalse, handled.throughTrueAtom[edge.gate]))
        ways.append(try diagram.and(isFalse, handled.throughFalseAtom[edge.gate]))
      }
    }
    try diagram.takeSteps(1 + ways.count)
    return try diagram.any(ways)
  }
}
