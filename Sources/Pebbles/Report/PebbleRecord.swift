/// The record of one pebble in one run.
///
/// Times are offsets from the start of the run, in whole nanoseconds.
public struct PebbleRecord: Sendable {
  let storage: RunStorage
  package let position: Int

  package init(_ storage: RunStorage, _ position: Int) {
    self.storage = storage
    self.position = position
  }

  /// The name of the pebble.
  public var name: String { storage.pond.graph.names[position] }

  /// The condition of the pebble in this run, including the conditions that its inputs imply.
  public var condition: Condition { storage.pond.graph.condition(of: position) }

  /// The outcome of the pebble.
  public var outcome: Outcome {
    guard let outcome = storage.values.outcome(at: position) else {
      preconditionFailure("a run ended before its pebble \(name.swiftLiteral)")
    }
    return outcome
  }

  /// The identifier of the earlier run that called the body; `nil` if the success was not kept from
  /// an earlier run. See
  /// ``Run/resumed(given:only:clock:within:learningFrom:holding:eventHistory:)``.
  ///
  /// A kept pebble became ready, started and finished when this run began, and has no attempts.
  public var keptFrom: RunIdentifier? { storage.kept[position]?.run }

  /// Whether the output was given to the run instead of being produced by a body; see
  /// ``Pond/given(_:_:)``.
  ///
  /// A given pebble has no attempts. It became ready, started and finished when the run began,
  /// unless it was skipped because it was disabled or not asked for.
  public var isGiven: Bool {
    storage.pond.properties.pebbles[UInt32(position)]?.isGiven == true
  }

  /// The cases that hold for the pebble's error or output, in definition order; empty for a skipped
  /// pebble.
  ///
  /// - Complexity: O(cases of the pebble).
  public var cases: [PebbleCase] { storage.state.cases(of: position) }

  /// The kind of the pebble's skip, which indicates whether the skip is a problem; `nil` if the
  /// pebble was not skipped.
  ///
  /// - Complexity: O(1), or O(pebbles + atoms) for the first call on a run with skips.
  public var skipKind: SkipKind? { storage.skipKind(of: position) }

  /// Whether the pebble was meant to run but could not, because of a failure or a stall; see
  /// ``SkipKind/blocked``.
  ///
  /// - Complexity: The same as for ``skipKind``.
  public var isBlocked: Bool { skipKind == .blocked }

  /// The time at which the condition became true; `nil` for a skipped pebble.
  public var ready: Duration? {
    hasRun ? storage.state.readyTime(of: position).asNanoseconds : nil
  }

  /// The time at which the body was first called; `nil` for a skipped pebble.
  public var started: Duration? {
    hasRun ? storage.state.startTime(of: position).asNanoseconds : nil
  }

  /// The time at which the pebble settled. A pebble settles when its last attempt ends, when the
  /// service becomes ready, or when the pebble is skipped.
  public var finished: Duration { storage.state.finishTime(of: position).asNanoseconds }

  /// The time from ``started`` to ``finished``, including all attempts; `nil` for a skipped pebble.
  public var duration: Duration? { started.map { finished - $0 } }

  /// The name of the pebble that made the condition true when it settled; `nil` if the condition
  /// was true from the start, or if this pebble was skipped.
  public var enabledBy: String? {
    guard hasRun else { return nil }
    return storage.state.cause(of: position).map { storage.pond.graph.names[$0] }
  }

  /// The number of ignored calls to a callback pebble's ``Completion``. Once a call has decided the
  /// outcome, all later calls are ignored.
  public var ignoredCompletions: Int {
    storage.values.completion(at: position)?.ignoredCalls ?? 0
  }

  /// The attempts that were made before the pebble settled, in order. The last attempt decided the
  /// outcome, unless the pebble failed with ``PebbleCrash`` or ``ServiceError/staysDown``. The
  /// array is empty for a skipped, kept or given pebble.
  public var attempts: [PebbleAttempt] {
    if isGiven || storage.kept[position] != nil { return [] }
    let attempts = storage.attempts(at: position)
    guard attempts.isEmpty else { return attempts }
    guard let started else { return [] }
    return [PebbleAttempt(started: started, finished: finished, error: outcome.error)]
  }

  /// Whether a body is still running although its attempt was abandoned, for example because it
  /// timed out. The value reflects the state when this property is read.
  public var isStillRunning: Bool {
    (storage.notes(at: position)?.lateBodies ?? 0) > 0
  }

  /// The most recent end of the service after it had become ready; `nil` if there was no such end,
  /// or if the pebble is not a service. If the service was kept, the time is an offset from the
  /// start of the run in ``keptFrom``.
  public var serviceEnd: ServiceEnd? { storage.notes(at: position)?.serviceEnd }

  /// Whether the pebble is a service that has ended permanently without being asked to stop. Such
  /// an end is a failure of the run. The value reflects the state when this property is read.
  public var isServiceDown: Bool { storage.notes(at: position)?.isServiceDown ?? false }

  /// The services that have ended permanently without being asked to stop, in runs at any depth
  /// inside the pebble. Such an end is a failure of this run as well. The value reflects the state
  /// when this property is read.
  ///
  /// Services of a failed attempt are not included, because the failure already accounts for them.
  /// Services of detached runs are not included either. If services have ended in more than a
  /// hundred runs, only those of the first hundred of these runs are included.
  public var servicesDownInside: [ServiceDownInside] { storage.servicesDownInside(at: position) }

  /// The restarts of the service after it had become ready. Only the newest hundred restarts are
  /// kept. If the service was kept, the times are offsets from the start of the run in
  /// ``keptFrom``. In a run that is continued from a journal, these are the restarts in the current
  /// process, including the restart that brought the service up again. See
  /// ``ServiceEnding/restart(_:resetAfter:)``.
  public var restarts: [ServiceRestart] { storage.notes(at: position)?.restarts ?? [] }

  /// The number of times the body was called again after the service had become ready. In a run
  /// continued from a journal, only calls in the current process are counted.
  public var restartCount: Int { storage.notes(at: position)?.restartCount ?? 0 }

  /// Whether the body failed after its run had been cancelled. Such a failure does not count as
  /// unhandled, regardless of the error. The value is `false` if the run abandoned the body.
  public var wasCancelled: Bool { storage.notes(at: position)?.wasCancelled ?? false }

  /// The errors thrown while tearing down results that the pebble does not keep. These results are
  /// outputs that arrived too late, outputs of bodies whose ``Around`` failed, outputs of restarted
  /// services, and runs inside failed attempts. Only the first hundred errors are kept.
  public var lateTeardownErrors: [any Error] {
    storage.notes(at: position)?.lateTeardownErrors ?? []
  }

  /// The reports of ponds that the body ran, in the order in which their runs ended. Runs that end
  /// after the pebble has settled are not included.
  ///
  /// Only the newest hundred reports are kept. The whole run keeps about a thousand reports,
  /// including those of runs inside runs. ``droppedNestedReports`` is the number of older reports
  /// that were dropped.
  public var nestedReports: [Report] { storage.nestedReports(at: position).reports }

  /// The number of older reports that were dropped from ``nestedReports``.
  public var droppedNestedReports: Int { storage.nestedReports(at: position).dropped }

  private var hasRun: Bool {
    switch storage.state.status(of: position) {
    case .succeeded, .failed: true
    case .waiting, .running, .skippedByCondition, .skippedByStall, .skippedByCancellation,
      .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
      false
    }
  }
}

extension PebbleRecord: CustomStringConvertible {
  /// The same sentence as ``explanation``.
  public var description: String { explanation }
}
