import Pebbles

/// Checks of a recorded run, with the same names and meanings as in a report.
extension RecordedRun {
  /// The pebbles whose failure was not handled, and the pebbles whose service ended permanently
  /// without being asked to stop, in definition order. A service in a run that a pebble started
  /// counts as a service of that pebble. `Report.unhandledFailures` explains when a failure counts
  /// as handled.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public var unhandledFailures: [RecordedPebble] {
    get throws(RecordingError) {
      let replay = try Replay(self)
      var handlers = FailureHandlers(model.pond.network)
      return pebbles.indices.filter { position in
        let pebble = pebbles[position]
        return pebble.service?.isDown == true || !pebble.servicesDownInside.isEmpty
          || pebble.outcome.isFailed && !pebble.wasCancelled
            && handlers.handling(ofFailure: position, in: replay.state) != .handled
      }.map { pebbles[$0] }
    }
  }

  /// The pebbles that list all possible values of their output, but succeeded with a different
  /// output; see `Report.strayValues`.
  ///
  /// - Complexity: O(cases).
  public var strayValues: [RecordedPebble] {
    model.pond.graph.cases.filter { position, list in
      list.isExhaustive && pebbles[position].outcome.isSucceeded
        && !pebbles[position].cases.contains(where: \.isValue)
    }.keys.sorted().map { pebbles[$0] }
  }

  /// The exit code for a process that performs only this run, as in `Report.exitCode`: 0 if there
  /// are no ``problems``, otherwise 1.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public var exitCode: Int32 {
    get throws(RecordingError) { try problems.isEmpty ? 0 : 1 }
  }

  /// Clauses or sentences that state why the run's exit code is not 0.
  ///
  /// A run has a problem if it missed its goal, if its cancellation was not orderly, or if it had
  /// not ended when its journal was read. Other problems are a journal that could not be written,
  /// unhandled failures, failed teardowns, services that ended without being asked to stop, and
  /// outputs that are not among the listed values.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public var problems: [String] {
    get throws(RecordingError) {
      var problems: [String] = []
      if let missedGoal = try missedGoal { problems.append(missedGoal) }
      if unended != nil { problems.append("the run had not ended when its journal was read") }
      if let cancellation, !cancellation.isOrderly {
        problems.append("the run was cancelled\(cancellation.reason.asCause)")
      }
      if let journalProblem {
        problems.append("the journal of the run \(journalProblem.shortText)")
      }
      for pebble in try unhandledFailures {
        guard let error = pebble.outcome.error else { continue }
        problems.append("\(pebble.name.shortName) failed, and no pebble handled it\(error.asCause)")
      }
      for pebble in strayValues {
        problems.append(
          "\(pebble.name.shortName) has an output that is none of its declared values")
      }
      for (position, clauses) in lateFailures.sorted(by: { $0.key < $1.key }) {
        problems += clauses.map { "\(pebbles[position].name.shortName): \($0)" }
      }
      return problems
    }
  }

  /// Clauses about problems that occurred after a pebble had settled, keyed by the pebble's
  /// position. The problems are failed teardowns, and services that ended without being asked to
  /// stop.
  ///
  /// - Complexity: O(pebbles + teardowns).
  package var lateFailures: [Int: [String]] {
    var clauses: [Int: [String]] = [:]
    for (position, pebble) in pebbles.enumerated() {
      let late = pebble.lateTeardownErrors.map {
        "an output that came late could not be torn down\($0.asCause)"
      }
      let all = [pebble.unaskedEnd].compactMap { $0 } + pebble.servicesDownInside + late
      if !all.isEmpty { clauses[position] = all }
    }
    for teardown in shutdown?.teardowns ?? [] {
      guard let error = teardown.error else { continue }
      clauses[teardown.pebble, default: []].append("it could not be torn down\(error.asCause)")
    }
    return clauses
  }
}

extension RecordedPebble {
  /// A clause about a service that ended without being asked to stop, with the time and the error;
  /// `nil` for any other pebble. The time is left out for a kept service, because it belongs to an
  /// earlier run.
  fileprivate var unaskedEnd: String? {
    guard let service, service.isDown, let end = service.end else { return nil }
    let time = keptFrom == nil ? " at \(end.time.brief)" : ""
    return "it ended\(time) without having been asked to" + (end.error.map(\.asCause) ?? "")
  }
}

extension String {
  /// The error message, shortened and preceded by a colon so that it can follow a clause; empty if
  /// there is no message.
  fileprivate var asCause: String { isEmpty ? "" : ": \(shortText)" }
}
