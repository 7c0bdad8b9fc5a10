import Pebbles

/// Where failures are handled, in all scenarios at once: the rule of `FailureHandlers`, as boolean
/// functions.
extension SymbolicRun {
  /// How far pebbles have come at some moment, in each scenario.
  struct Progress {
    /// By pebble: where it has failed.
    var failed: [BooleanFunction]

    /// By pebble: where it has been skipped. Elsewhere it runs, has run, or may still do so.
    var skipped: [BooleanFunction]

    /// By pebble: where it takes no part.
    var disabled: [BooleanFunction]
  }

  /// When all have settled.
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

  /// Where there is a failure that no pebble handles, or ever will.
  mutating func unhandledFailure(
    _ progress: Progress
  ) throws(DiagramLimitReached) -> BooleanFunction {
    try diagram.any(unhandledFailures(progress))
  }

  /// By pebble: where it has failed and no pebble handles that, or ever will.
  mutating func unhandledFailures(
    _ progress: Progress
  ) throws(DiagramLimitReached) -> [BooleanFunction] {
    let readers = (0..<pebbleCount).map { model.pond.network.readers(of: $0) }
    // A pebble comes before those that it reads, so that outside of cycles once will do.
    let backwards = order.reversed().filter { $0 < pebbleCount }
    /// Where who reads the skip of a pebble handles what it hands on.
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

  /// Where an atom of a reader is false, given how the pebble ended that it reads.
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
      let isOut = !progress.disabled[reader.pebble]
      ways.append(
        try diagram.all([
          progress.skipped[reader.pebble], isOut, handsOn[reader.pebble],
          isSkipped(reader, because: event),
        ]))
    }
    return try diagram.any(ways)
  }
}
