/// What happened to one pebble in one run.
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

  /// The condition the pebble had in this run, with what its inputs imply.
  public var condition: Condition { storage.pond.graph.condition(of: position) }

  /// How the pebble ended.
  public var outcome: Outcome {
    guard let outcome = storage.values.outcome(at: position) else {
      preconditionFailure("a run ended before its pebble \(name.swiftLiteral)")
    }
    return outcome
  }

  /// The run that has called the body, if this one has kept that it succeeded there; see
  /// ``Run/resumed(given:only:clock:within:learningFrom:holding:eventHistory:)``. `nil` for any
  /// other.
  ///
  /// What was kept became ready, started and finished as the run began, and has no attempts.
  public var keptFrom: RunIdentifier? { storage.kept[position]?.run }

  /// Whether the run was given the output, so that there was no body to be called; see
  /// ``Pond/given(_:_:)``.
  ///
  /// Unless it was skipped, as disabled or not asked for, it became ready, started and finished as
  /// the run began, and has no attempts.
  public var isGiven: Bool {
    storage.pond.properties.pebbles[UInt32(position)]?.isGiven == true
  }

  /// The cases of the pebble that hold, in the order of their definition: which error it was, which
  /// value. None for a skipped pebble.
  ///
  /// - Complexity: O(cases of the pebble).
  public var cases: [PebbleCase] { storage.state.cases(of: position) }

  /// Whether it matters that the pebble was skipped; `nil` if it ran.
  ///
  /// - Complexity: O(1); the first call for a run that had skips, O(pebbles + atoms).
  public var skipKind: SkipKind? { storage.skipKind(of: position) }

  /// Whether the pebble was to run, and could not for a failure or a stall; see
  /// ``SkipKind/blocked``.
  ///
  /// - Complexity: That of ``skipKind``.
  public var isBlocked: Bool { skipKind == .blocked }

  /// When the condition became true; `nil` for a skipped pebble.
  public var ready: Duration? {
    hasRun ? storage.state.readyTime(of: position).asNanoseconds : nil
  }

  /// When the body was called; `nil` for a skipped pebble.
  public var started: Duration? {
    hasRun ? storage.state.startTime(of: position).asNanoseconds : nil
  }

  /// When the pebble settled: when its body ended, or when it was skipped.
  public var finished: Duration { storage.state.finishTime(of: position).asNanoseconds }

  /// How long the body took; `nil` for a skipped pebble.
  public var duration: Duration? { started.map { finished - $0 } }

  /// The pebble whose settling made the condition true; `nil` if it was true from the start, and
  /// for a skipped pebble.
  public var enabledBy: String? {
    guard hasRun else { return nil }
    return storage.state.cause(of: position).map { storage.pond.graph.names[$0] }
  }

  /// How often the ``Completion`` of a callback pebble was called after the call that decided, up
  /// to the moment this is read.
  public var ignoredCompletions: Int {
    storage.values.completion(at: position)?.ignoredCalls ?? 0
  }

  /// Every call of the body, first to last; none for a skipped pebble. The last one decided.
  public var attempts: [PebbleAttempt] {
    if isGiven || storage.kept[position] != nil { return [] }
    if let attempts = storage.notes(at: position)?.attempts, !attempts.isEmpty { return attempts }
    guard let started else { return [] }
    return [PebbleAttempt(started: started, finished: finished, error: outcome.error)]
  }

  /// Whether a body goes on although its attempt timed out, up to the moment this is read.
  public var isStillRunning: Bool {
    (storage.notes(at: position)?.lateBodies ?? 0) > 0
  }

  /// How a service ended that had been ready, the last time that it did; `nil` as long as it has
  /// not, and for other pebbles.
  public var serviceEnd: ServiceEnd? { storage.notes(at: position)?.serviceEnd }

  /// Whether this is a service that has ended for good without having been asked to: a failure of
  /// the run, up to the moment this is read.
  public var isServiceDown: Bool { storage.notes(at: position)?.isServiceDown ?? false }

  /// The services of runs inside of the pebble, however deep, that have ended for good without
  /// having been asked to: a failure of this run as well, up to the moment this is read.
  ///
  /// Those of an attempt that has failed are not among them, as they are part of that failure; nor
  /// are those of detached runs. Of more than a hundred runs, the first hundred.
  public var servicesDownInside: [ServiceDownInside] { storage.servicesDownInside(at: position) }

  /// The calls of the body of a service after it had been ready and had ended, the newest hundred;
  /// see ``ServiceEnding/restart(_:resetAfter:)``.
  public var restarts: [ServiceRestart] { storage.notes(at: position)?.restarts ?? [] }

  /// How often the body of a service was called again after it had been ready.
  public var restartCount: Int { storage.notes(at: position)?.restartCount ?? 0 }

  /// Whether the body failed after its run had been cancelled: what the run itself cancelled is no
  /// failure, whatever the body threw.
  public var wasCancelled: Bool { storage.notes(at: position)?.wasCancelled ?? false }

  /// What the teardown threw that was called with outputs which came too late; the first hundred.
  public var lateTeardownErrors: [any Error] {
    storage.notes(at: position)?.lateTeardownErrors ?? []
  }

  /// The reports of ponds that the body ran, in the order of their ends: the newest hundred, and
  /// of a whole run, runs inside of runs included, no more than a thousand. How many older ones
  /// made room for them is in ``droppedNestedReports``.
  public var nestedReports: [Report] { storage.nestedReports(at: position).reports }

  /// How many reports of ponds that the body ran are not among ``nestedReports``.
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
  /// The ``explanation``.
  public var description: String { explanation }
}
