extension Report: CustomStringConvertible {
  /// A human-readable summary of the run.
  ///
  /// The summary begins with the totals, the makespan, and whether the run was cancelled. If it was
  /// not cancelled, but was shut down without a request from the program, the reason and time of
  /// the shutdown follow. If the goal was missed, the reason is stated next.
  ///
  /// The sections list failed pebbles with their errors, blocked pebbles with the reasons, failed
  /// teardowns, and succeeded pebbles with their times. The last sections list pebbles that were
  /// kept from an earlier run, and pebbles that were skipped but not blocked.
  ///
  /// The summary also shows which failures were *handled* (see ``unhandledFailures``), and which
  /// bodies were left behind and are still running. For a service, it shows how long the service
  /// was up before it was stopped, and how often it was called again.
  ///
  /// ```
  /// boot: 1 failed, 1 blocked, 3 succeeded, 4 not needed in 312 ms
  ///
  /// failed       started finished     took
  ///   loadCores     0 ns   120 ms   120 ms   no route
  ///
  /// blocked
  ///   showCores was blocked: it needs loadCores to succeed, but loadCores failed
  ///   …
  /// ```
  ///
  /// Each section shows its first two hundred pebbles, in definition order. If skipping a pebble
  /// led to two or more further skips of the same kind, only that pebble is shown:
  /// `store was blocked: it needs fetch to succeed, but fetch failed, and 18 more followed`. The
  /// ``PebbleRecord/explanation`` of each pebble names the pebbles that it waited for.
  ///
  /// - Complexity: O(pebbles + atoms), including those of the runs inside the pebbles.
  public var description: String {
    var summary = ReportSummary(self)
    return summary.text()
  }
}

private struct ReportSummary {
  private static let mostLines = 200
  private static let widestName = 40
  private static let longestError = 500

  private let report: Report
  private let groups: [OutcomeGroup: [PebbleRecord]]
  private let chains: SkipChains
  private let unhandled: Set<Int>
  private var lines: [String] = []

  init(_ report: Report) {
    self.report = report
    groups = Dictionary(grouping: report.records, by: \.group)
    chains = SkipChains(report.records.filter { $0.outcome.isSkipped }, report.storage)
    unhandled = Set(report.unhandledFailures.map(\.position))
  }

  mutating func text() -> String {
    let down = report.storage.servicesDown.count
    let services = down == 0 ? "" : ", \(down) \(down == 1 ? "service" : "services") down"
    let unclosed = report.shutdown?.failures.count ?? 0
    let shutdown = unclosed == 0 ? "" : ", \(unclosed) not torn down"
    let totals = OutcomeGroup.totals { groups[$0]?.count ?? 0 }
    let cancelled = report.cancellation.map { ", cancelled\(Self.reason($0))" } ?? ""
    let stopped =
      unaskedShutdown.map { reason, time in
        ", shut down after \(time.brief)\(Self.reason(reason))"
      } ?? ""
    let name = report.pondName.singleLine.truncated(to: Self.widestName)
    let goal = report.isGoalReached == false ? ", goal not reached" : ""
    let count = report.processCount
    let processes = count == 1 ? "" : ", in \(count) processes"
    let time = "\(report.makespan.brief)\(processes)"
    lines = ["\(name): \(totals) in \(time)\(cancelled)\(stopped)\(services)\(shutdown)\(goal)"]
    if report.cancellation?.journalProblem == nil, let problem = report.journalProblem {
      lines += ["", "its journal \(problem)".singleLine.truncated(to: Self.longestError)]
    }
    if let missedGoal = report.missedGoal { lines += ["", missedGoal.singleLine] }
    let strays = report.strayValues
    if !strays.isEmpty {
      let names = strays.listed { self.name(of: $0) }.joined(separator: ", ")
      lines += ["", "with an output that is none of the declared values: \(names)"]
    }

    for group in OutcomeGroup.allCases {
      append(groups[group] ?? [], of: group)
      // Failed teardowns come before the groups of pebbles that had no problem.
      if group == .blocked { appendShutdown() }
    }
    return lines.joined(separator: "\n")
  }

  /// The reason and time of a shutdown that began after the end of the run; `nil` if there was no
  /// such shutdown, or if the program itself requested it.
  private var unaskedShutdown: (reason: RunCancellation, time: Duration)? {
    guard !report.isCancelled, let shutdown = report.shutdown, let time = shutdown.started
    else { return nil }
    return shutdown.unaskedReason.map { ($0, time) }
  }

  private static func reason(_ cancellation: RunCancellation) -> String {
    switch cancellation {
    case .requested: ""
    case .failure, .deadlinePassed, .shutdown, .serviceEnded, .signal, .backgroundTimeExpired,
      .journalBroken:
      ": \(cancellation)".truncated(to: longestError).singleLine
    }
  }

  private mutating func append(_ records: [PebbleRecord], of group: OutcomeGroup) {
    guard !records.isEmpty else { return }
    switch group {
    case .failed, .succeeded: appendTimes(records, titled: group.name)
    case .kept: appendKept(records)
    case .blocked, .notNeeded, .disabled, .cancelled, .notAskedFor:
      appendReasons(records, titled: group.name)
    }
  }

  private mutating func appendTimes(_ records: [PebbleRecord], titled title: String) {
    let width = nameWidth(records, atLeast: title.count)
    let times = { (record: PebbleRecord) in
      [record.started, record.finished, record.duration].map { ($0 ?? .zero).brief }
    }
    let widths = records.prefix(Self.mostLines).flatMap(times).map(\.count)
    let column = max(9, 1 + (widths.max() ?? 0))
    let row = { (texts: [String]) in texts.map { $0.leftPadded(to: column) }.joined() }
    lines += ["", "\(title.padded(to: width))  \(row(["started", "finished", "took"]))"]
    lines += records.lines(atMost: Self.mostLines) { record in
      "  \(name(of: record).padded(to: width))\(row(times(record)))\(remark(on: record))"
    }
  }

  /// Returns the remarks on a pebble, such as its error and whether the failure was handled.
  /// Another remark states whether a body left behind by any attempt is still running.
  private func remark(on record: PebbleRecord) -> String {
    let cases = record.cases.isEmpty ? nil : record.cases.map(\.caption).joined(separator: " and ")
    let error = record.outcome.error.map { error in
      let cause = record.cancellationRemark.map { "\($0): " } ?? ""
      return cause + "\(error)".truncated(to: Self.longestError).singleLine
    }
    let isHandled =
      record.outcome.isFailed && !record.wasCancelled && !unhandled.contains(record.position)
    let end = Explanation(report.storage).unaskedEnd(of: record.position)
    let upTime = record.upTime.map { "up for \($0.brief)" }
    let attempts = record.attempts.count > 1 ? "\(record.attempts.count) attempts" : nil
    let lateBody = record.isStillRunning ? "its body is still running" : nil
    let restarts =
      switch record.restartCount {
      case 0: String?.none
      case 1: "called again once"
      case let count: "called again \(count) times"
      }
    let given = record.isGiven ? "given" : nil
    let handled = isHandled ? "handled" : nil
    let remarks = [
      given, cases, error, handled, failureInside(record), end, upTime, attempts, restarts,
      lateBody,
    ].compactMap(\.self)
    return remarks.isEmpty ? "" : "   \(remarks.joined(separator: "; "))"
  }

  /// Returns a remark about the failed runs inside a pebble that nevertheless succeeded; `nil` if
  /// there are no such runs.
  private func failureInside(_ record: PebbleRecord) -> String? {
    guard record.outcome.isSucceeded else { return nil }
    let failed = record.nestedReports.filter { $0.exitCode != 0 }
    guard let first = failed.first else { return nil }
    let name = first.pondName.shortName(atMost: Self.widestName)
    return failed.count == 1 ? "its run of \(name) failed" : "\(failed.count) runs inside it failed"
  }

  private mutating func appendKept(_ kept: [PebbleRecord]) {
    let width = nameWidth(kept, atLeast: 0)
    lines += ["", "kept"]
    lines += kept.lines(atMost: Self.mostLines) { record in
      let from = record.keptFrom.map { "from run \($0)".truncated(to: Self.widestName) } ?? ""
      return "  \(name(of: record).padded(to: width))  \(from)\(remark(on: record))"
    }
  }

  private mutating func appendReasons(_ skipped: [PebbleRecord], titled title: String) {
    lines += ["", title]
    let shown = skipped.filter { !chains.isFolded($0.position) }
    lines += shown.lines(atMost: Self.mostLines) { record in
      let followers = chains.foldedFollowers(of: record.position)
      let more = followers > 0 ? ", and \(followers) more followed" : ""
      return "  \(record.explanation.singleLine)\(more)"
    }
  }

  private mutating func appendShutdown() {
    guard let failures = report.shutdown?.failures, !failures.isEmpty else { return }
    lines += ["", "could not be torn down"]
    lines += failures.lines(atMost: Self.mostLines) { record in
      let error = record.error.map { "\($0)".truncated(to: Self.longestError).singleLine } ?? ""
      return "  \(record.pebble.shortName(atMost: Self.widestName)): \(error)"
    }
  }

  private func nameWidth(_ records: [PebbleRecord], atLeast width: Int) -> Int {
    records.prefix(Self.mostLines).map { name(of: $0).count }.max().map { max($0, width) } ?? width
  }

  private func name(of record: PebbleRecord) -> String {
    record.name.shortName(atMost: Self.widestName)
  }
}

extension PebbleRecord {
  /// The time from when a service first became ready until it last ended. The value is `nil` if the
  /// service was kept from an earlier run, has not ended, ended without being asked to, or was
  /// called again after that end.
  fileprivate var upTime: Duration? {
    guard keptFrom == nil, let end = storage.notes(at: position)?.endOfLastCall, end.wasAsked
    else { return nil }
    return end.time - finished
  }

  /// A remark stating that the pebble failed after the run had been cancelled; `nil` if there was
  /// no such failure.
  fileprivate var cancellationRemark: String? {
    guard wasCancelled else { return nil }
    let hasWaited = attempts.last.map { $0.finished < finished } ?? false
    return hasWaited ? "cancelled before it was tried again" : "cancelled with the run"
  }

  /// The group in which the pebble is counted and listed.
  fileprivate var group: OutcomeGroup {
    OutcomeGroup(
      outcome.event, isKept: keptFrom != nil, outcome.isSkipped ? skipKind : nil)
  }
}
