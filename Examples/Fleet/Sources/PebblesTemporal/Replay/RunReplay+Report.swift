import Pebbles
import PebblesAnalysis
import PebblesDurable

extension RunReplay {
  /// How the run has ended.
  var ending: RunEnding {
    let failures = (teardown?.failures ?? []).map { pebble, error in
      "\(names[pebble]) could not be torn down: \(error)"
    }
    if scheduler.cancellation == .requested {
      return failures.isEmpty ? .cancelled : .failed(failures.joined(separator: "\n"))
    }
    guard let report = scheduler.report, report.exitCode != 0 else { return .completed }
    let failed = report.cancellation?.failedPebble.flatMap { report.record(named: $0) }
    let cause = failed?.outcome.error.map { ": \($0)" } ?? ""
    var problem = "the run was cancelled: \(report.cancellation.map { "\($0)" } ?? "")\(cause)"
    do {
      try report.check()
    } catch {
      // That a run was cancelled may be why its goal was missed, and is not to be left out then.
      let isAll = report.cancellation == nil || !error.unhandledFailures.isEmpty
      problem = isAll ? "\(error)" : "\(problem)\n\(error)"
    }
    return .failed(([problem] + failures).joined(separator: "\n"))
  }

  /// The run as a record, once it has ended: with the times at which bodies were called, and not
  /// those at which they were sent to be called.
  func recorded() -> RecordedRun? {
    guard let run = scheduler.report?.recorded() else { return nil }
    let pebbles = run.pebbles.enumerated().map { position, pebble -> RecordedPebble in
      guard let calls = calls[position], let ready = pebble.ready, let sent = pebble.started
      else { return pebble }
      let last = min(max(sent, calls.started), pebble.finished)
      var error: String?
      if case .failed(let text) = pebble.outcome { error = text }
      return RecordedPebble(
        name: pebble.name, outcome: pebble.outcome, ready: ready,
        started: calls.attempts > 1 ? sent : last, finished: pebble.finished,
        decidedBy: pebble.decidedBy,
        attempts: attempts(calls, from: sent, last, pebble.finished, error),
        wasCancelled: pebble.wasCancelled, cases: pebble.cases)
    }
    // The record that it is made of was in order, and times stay within their bounds.
    return
      (try? RecordedRun(
        model: run.model, pebbles: pebbles, makespan: run.makespan,
        cancellation: run.cancellation, shutdown: shutdown))
      ?? run
  }

  /// What came of the teardown; `nil` if nothing was to be torn down, or the run was not cancelled.
  private var shutdown: RecordedShutdown? {
    let canBeTornDown = names.indices.contains { model.hasTeardown(at: $0) }
    return canBeTornDown ? teardown?.recorded : nil
  }

  /// The last attempt is known, and how many there were before; the server keeps no more of them.
  private func attempts(
    _ calls: BodyCalls, from sent: Duration, _ last: Duration, _ finished: Duration,
    _ error: String?
  ) -> [RecordedAttempt] {
    let attempt = RecordedAttempt(started: last, finished: finished, error: error)
    guard calls.attempts > 1 else { return [attempt] }
    let count = calls.attempts - 1
    let before =
      "\(count) earlier \(count == 1 ? "call" : "calls"), the last of which ended with: "
      + (calls.lastError ?? "")
    return [RecordedAttempt(started: sent, finished: last, error: before), attempt]
  }

  /// How pebbles have ended of which cases hold, as clauses.
  private func endings() -> [String: String] {
    var endings: [String: String] = [:]
    for (pebble, cases) in heldCases.sorted(by: { $0.key < $1.key }) {
      guard endings.count < FleetStatus.mostNamed else { break }
      endings[names[pebble]] = cases.clause.cut(to: FleetStatus.longestText)
    }
    return endings
  }

  /// How far the run is.
  var status: FleetStatus {
    var status = FleetStatus(pond: model.name, isCancelled: scheduler.cancellation != nil)
    let missed = scheduler.report?.missedGoal
    status.missedGoal = missed?.cut(to: FleetStatus.longestText)
    for (position, name) in names.enumerated() {
      switch scheduler.outcome(of: position) {
      case .succeeded: status.succeeded += 1
      case .failed(let error):
        status.failedCount += 1
        if status.failed.count < FleetStatus.mostNamed {
          status.failed[name] = "\(error)".cut(to: FleetStatus.longestText)
        }
      case .skipped: status.skipped += 1
      case nil: status.waiting += 1
      }
    }
    status.cases = endings()
    // A query brings no events after the last decision: what was ready then has been scheduled.
    let running = scheduler.running.union(scheduler.ready).sorted()
    status.waiting -= running.count
    status.runningCount = running.count
    status.running = running.prefix(FleetStatus.mostNamed).map { names[$0] }
    if let teardown {
      status.tearingDownCount = teardown.open.count
      status.tearingDown = teardown.open.prefix(FleetStatus.mostNamed).map { names[$0] }
      status.tornDown = teardown.endedCount
    }
    return status
  }
}
