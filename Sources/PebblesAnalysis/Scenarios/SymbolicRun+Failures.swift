import Pebbles

/// The handling of failures, in all scenarios at once: the rule of `FailureHandlers` as boolean
/// functions.
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
    let readers = (0..<pebbleCount).map { model.pond.network.readers(of: $0) }
    // Each pebble comes before the pebbles it reads, so one pass suffices if there are no cycles.
    let backwards = order.reversed().filter { $0 < pebbleCount }
    /// The scenarios in which a given pebble would pass a failure on to a pebble that handles it,
    /// indexed by pebble. A pebble passes on only a failure that causes it to be skipped.
    var handsOn = [BooleanFunction](repeating: .never, count: pebbleCount)
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for pebble in backwards where !readers[pebble].isEmpty {
        let isHandled = try isHandled(.skipped, readers[pebble], progress, handsOn)
        if isHandled != handsOn[pebble] {
          handsOn[pebble] = isHandled
          hasChanged = true
        }
      }
      if !hasCycles { break }
    }
    var unhandled = [BooleanFunction](repeating: .never, count: pebbleCount)
    AnalysisProgress.begin("failures looked at", of: pebbleCount)
    for pebble in 0..<pebbleCount where progress.failed[pebble] != .never {
      AnalysisProgress.reach(pebble)
      let isHandled = try isHandled(.failed, readers[pebble], progress, handsOn)
      unhandled[pebble] = try diagram.and(progress.failed[pebble], !isHandled)
    }
    return unhandled
  }

  /// Returns the scenarios where the given outcome of a pebble makes an atom of the reader false.
  private mutating func isSkipped(
    _ reader: ReadinessNetwork.Reader, because event: Event
  ) throws(DiagramLimitReached) -> BooleanFunction {
    if reader.rejects(event) { return .always }
    var ways: [BooleanFunction] = []
    for atom in reader.cases where atom.outcomes.accepts(event) {
      let answer = try value(ofCase: atom.row, .always, .never).isTrue
      ways.append(atom.isNegated ? answer : !answer)
    }
    return try diagram.any(ways)
  }

  private mutating func isHandled(
    _ event: Event, _ readers: [ReadinessNetwork.Reader], _ progress: Progress,
    _ handsOn: [BooleanFunction]
  ) throws(DiagramLimitReached) -> BooleanFunction {
    try diagram.takeSteps(1 + readers.count)
    var ways: [BooleanFunction] = []
    for reader in readers {
      ways.append(!progress.skipped[reader.pebble])
      guard reader.mayReject(event) else { continue }
      let takesPart = !progress.disabled[reader.pebble]
      ways.append(
        try diagram.all([
          progress.skipped[reader.pebble], takesPart, handsOn[reader.pebble],
          isSkipped(reader, because: event),
        ]))
    }
    return try diagram.any(ways)
  }
}
