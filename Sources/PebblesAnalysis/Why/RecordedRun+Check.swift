import Pebbles

/// What is asked of a report when its run is over, asked of the record of it.
extension RecordedRun {
  /// The failed pebbles whose failure nothing took care of, in definition order, and the services
  /// that had ended for good without having been asked to: those of `Report.unhandledFailures`,
  /// which says when a failure is handled.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
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

  /// The pebbles with an output that is none of all values: those of `Report.strayValues`.
  ///
  /// - Complexity: O(cases).
  public var strayValues: [RecordedPebble] {
    model.pond.graph.cases.filter { position, list in
      list.isExhaustive && pebbles[position].outcome.isSucceeded
        && !pebbles[position].cases.contains(where: \.isValue)
    }.keys.sorted().map { pebbles[$0] }
  }

  /// What a process exited with whose life was this run, as `Report.exitCode` says it: 0 if there
  /// are no ``problems``, otherwise 1.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public var exitCode: Int32 {
    get throws(RecordingError) { try problems.isEmpty ? 0 : 1 }
  }

  /// Everything because of which the exit code of the run is not 0, a clause or a sentence each: a
  /// cancellation that was not orderly, failures that no pebble handled, services that had ended
  /// unasked, what could not be torn down, a goal that was not reached, and outputs that are none
  /// of all values.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public var problems: [String] {
    get throws(RecordingError) {
      var problems: [String] = []
      if let missedGoal = try missedGoal { problems.append(missedGoal) }
      if unended != nil { problems.append("the run had not ended when its journal was read") }
      if let cancellation, !cancellation.isOrderly {
        problems.append("the run was cancelled\(cancellation.reason.asCause)")
      }
      for pebble in try unhandledFailures {
        guard let error = pebble.outcome.error else { continue }
        problems.append("\(pebble.name.shortName) failed, and no pebble handled it\(error.asCause)")
      }
      for pebble in strayValues {
        problems.append("\(pebble.name.shortName) has an output that is none of all values")
      }
      for (position, clauses) in lateFailures.sorted(by: { $0.key < $1.key }) {
        problems += clauses.map { "\(pebbles[position].name.shortName): \($0)" }
      }
      return problems
    }
  }

  /// What went wrong with pebbles after they had settled, by position, a clause each: as a service
  /// that ended unasked, or when they were torn down.
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
  /// How a service ended that was not asked to, as a clause; `nil` if it goes on or was.
  fileprivate var unaskedEnd: String? {
    guard let service, service.isDown, let end = service.end else { return nil }
    return "it ended at \(end.time.brief) without having been asked to"
      + (end.error.map(\.asCause) ?? "")
  }
}

extension String {
  /// What an error says, behind what it did; nothing for one that says nothing.
  fileprivate var asCause: String { isEmpty ? "" : ": \(shortText)" }
}
