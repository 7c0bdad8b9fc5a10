import Pebbles
import PebblesAnalysis
import PebblesDurable

extension RunReplay {
  /// The end of the run.
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
      // A cancellation may be the reason for a missed goal, so it is not left out.
      let isAll = report.cancellation == nil || !error.unhandledFailures.isEmpty
      problem = isAll ? "\(error)" : "\(problem)\n\(error)"
    }
    return .failed(([problem] + failures).joined(separator: "\n"))
  }

  /// Returns the record of the run; `nil` if some pebbles have not settled. Before the end of a
  /// teardown, the record contains only the teardowns that have ended.
  ///
  /// The recorded start of a body is the time of its call. If the body was called several times,
  /// the recorded start is the time at which the first call was scheduled.
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
    // The original record was valid, and the changed times stay within its bounds.
    return
      (try? RecordedRun(
        model: run.model, pebbles: pebbles, makespan: run.makespan,
        cancellation: run.cancellation, shutdown: shutdown))
      ?? run
  }

  /// The recorded shutdown; `nil` if no pebble has a teardown, or the run was not cancelled.
  private var shutdown: RecordedShutdown? {
    let canBeTornDown = names.indices.contains { model.hasTeardown(at: $0) }
    return canBeTornDown ? teardown?.recorded : nil
  }

  /// Returns the attempts of a body. The server stores only the number of earlier attempts, so all
  /// attempts before the last are represented by a single one.
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

  /// Describes the endings of the pebbles for which cases hold, keyed by name, as in
  /// `FleetStatus.cases`. The number of descriptions and the length of each are limited.
  private func endings() -> [String: String] {
    var endings: [String: String] = [:]
    for (pebble, cases) in heldCases.sorted(by: { $0.key < $1.key }) {
      guard endings.count < FleetStatus.mostNamed else { break }
      endings[names[pebble]] = cases.clause.cut(to: FleetStatus.longestText)
    }
    return endings
  }

  /// The status of the run.
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
    // Between decisions no events arrive, so the pebbles that were ready have been scheduled by
    // now, unless too many calls are pending.
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
