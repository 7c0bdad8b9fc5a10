import Pebbles

extension Report {
  /// Returns the run as data, without outputs. The data can be stored, compared and examined.
  ///
  /// Errors are replaced by their messages, truncated to 2,000 characters. Nested runs are also
  /// recorded, up to a thousand runs and up to eight levels deep. The property
  /// ``RecordedRun/omittedNestedRuns`` counts the directly nested runs that were left out. The same
  /// limits apply to the shutdowns of nested runs.
  ///
  /// If a clock went backwards, the times are adjusted so that every pebble starts before it ends,
  /// and ends within the run.
  ///
  /// - Parameter origin: The start time, host and program version, which are not part of a report.
  /// - Returns: The run in its current state. After the end of the run, only late bodies, services,
  ///   the shutdown and a problem with the journal can change the result.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran, nested
  ///   runs included, if nothing stalled. The run is replayed to find the gates whose deciding
  ///   operand does not follow from the times alone.
  public func recorded(from origin: RunOrigin? = nil) -> RecordedRun {
    var recorder = RunRecorder()
    return recorder.record(self, depth: 0).from(origin)
  }
}

extension ShutdownReport {
  /// The time from the start of the shutdown until both the shutdown and every recorded teardown
  /// have ended.
  fileprivate var wholeDuration: Duration {
    records.lazy.map(\.finished).reduce(duration, max)
  }
}

private struct RunRecorder {
  private static let mostNested = 1_000
  private static let deepestNested = 8
  private static let longestError = 2_000

  private var nestedCount = 0
  private var nestedShutdownCount = 0

  mutating func record(_ report: Report, depth: Int) -> RecordedRun {
    let records = report.records
    let pebbles = records.map { record($0, in: report.storage.state) }
    var nested: [NestedRun] = []
    var omitted = 0
    for (position, record) in records.enumerated() {
      omitted += record.droppedNestedReports
      for report in record.nestedReports {
        guard depth < Self.deepestNested, nestedCount < Self.mostNested else {
          omitted += 1
          continue
        }
        nestedCount += 1
        nested.append(NestedRun(pebble: position, run: self.record(report, depth: depth + 1)))
      }
    }
    var run = RecordedRun(
      unchecked: PondModel(report.storage.pond), pebbles: pebbles,
      makespan: pebbles.lazy.map(\.finished).reduce(report.makespan, max),
      cancellation: report.cancellation.map {
        RecordedCancellation(Self.text($0), isOrderly: $0.isOrderly)
      },
      shutdown: report.shutdown.map { shutdown($0, of: records) }, nested: nested,
      omittedNestedRuns: omitted)
    if report.cancellation?.journalProblem == nil {
      run.journalProblem = report.journalProblem.map(Self.text)
    }
    return run.noting(decidersOf: report.storage.state)
  }

  private func record(_ record: PebbleRecord, in state: ReadinessState) -> RecordedPebble {
    let finished = record.finished
    let started = record.started.map { min($0, finished) }
    let bounds = (started ?? finished)...finished
    return RecordedPebble(
      name: record.name, outcome: Self.outcome(record.outcome),
      ready: started.flatMap { started in record.ready.map { min($0, started) } },
      started: started, finished: finished, decidedBy: state.cause(of: record.position),
      attempts: started == nil ? [] : record.attempts.map { Self.attempt($0, within: bounds) },
      isStillRunning: record.isStillRunning, wasCancelled: record.wasCancelled,
      service: Self.service(record),
      servicesDownInside: record.servicesDownInside.map(Self.text),
      lateTeardownErrors: record.lateTeardownErrors.map(Self.text), cases: record.cases,
      keptFrom: record.keptFrom.map(Self.text))
  }

  private static func service(_ record: PebbleRecord) -> RecordedService? {
    // This is read first because the service may be ending now: a service that is down has an end.
    let isDown = record.isServiceDown
    let end = record.serviceEnd
    let restarts = record.restarts
    guard end != nil || !restarts.isEmpty else { return nil }
    return RecordedService(
      end: end.map {
        RecordedServiceEnd(time: $0.time, error: $0.error.map(text), wasAsked: $0.wasAsked)
      },
      isDown: isDown,
      restarts: restarts.map {
        RecordedServiceRestart(time: $0.time, attempt: $0.attempt, error: $0.error.map(text))
      },
      restartCount: max(record.restartCount, restarts.count))
  }

  private mutating func shutdown(
    _ shutdown: ShutdownReport, of records: Records
  ) -> RecordedShutdown {
    let positions = Dictionary(zip(records.map(\.name), 0...)) { first, _ in first }
    return RecordedShutdown(
      reason: shutdown.unaskedReason.map { Self.text("\($0)") }, started: shutdown.started,
      duration: shutdown.wholeDuration,
      teardowns: shutdown.records.compactMap { record in
        positions[record.pebble].map { pebble in
          RecordedTeardown(
            pebble: pebble, started: record.started.map { min($0, record.finished) },
            finished: record.finished, error: record.error.map(Self.text))
        }
      },
      nested: nestedShutdowns(of: shutdown, depth: 0))
  }

  private mutating func nestedShutdowns(
    of shutdown: ShutdownReport, depth: Int
  ) -> [NestedShutdown] {
    var nested: [NestedShutdown] = []
    for record in shutdown.records {
      for inner in record.nested
      where depth < Self.deepestNested && nestedShutdownCount < Self.mostNested {
        nestedShutdownCount += 1
        nested.append(
          NestedShutdown(
            pebble: record.pebble, pondName: inner.pondName, duration: inner.wholeDuration,
            teardowns: inner.records.map { record in
              NestedTeardown(
                pebble: record.pebble, started: record.started.map { min($0, record.finished) },
                finished: record.finished, error: record.error.map(Self.text))
            },
            nested: nestedShutdowns(of: inner, depth: depth + 1)))
      }
    }
    return nested
  }

  private static func attempt(
    _ attempt: PebbleAttempt, within bounds: ClosedRange<Duration>
  ) -> RecordedAttempt {
    let finished = min(max(attempt.finished, bounds.lowerBound), bounds.upperBound)
    return RecordedAttempt(
      started: min(max(attempt.started, bounds.lowerBound), finished), finished: finished,
      error: attempt.error.map(text))
  }

  private static func outcome(_ outcome: Outcome) -> RecordedOutcome {
    switch outcome {
    case .succeeded: .succeeded
    case .failed(let error): .failed(text(error))
    case .skipped(let reason): .skipped(reason)
    }
  }

  private static func text(_ value: Any) -> String {
    "\(value)".truncated(to: longestError)
  }
}
