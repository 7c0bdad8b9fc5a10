import Pebbles

/// A comparison of the bodies' notes, the reports and the plan.
struct SoakInspection {
  let plan: SoakPlan
  let handles: [SoakHandle]
  let notes: [SoakLedger.Note]
  let tally: SoakLedger.Tally
  let reports: [Report]
  private(set) var violations: [String] = []

  init(_ plan: SoakPlan, _ handles: [SoakHandle], _ ledger: SoakLedger, _ reports: [Report]) {
    self.plan = plan
    self.handles = handles
    notes = ledger.notes
    tally = ledger.tally
    self.reports = reports
  }

  mutating func inspect() {
    for report in reports {
      inspect(report)
      for (position, record) in zip(0..., report.records) {
        let own = notes.filter {
          $0.ticket.run == report.identifier && $0.ticket.pebble == position
        }
        inspect(record, at: position, own, report)
      }
      inspectLimits(report)
    }
    inspectQuestions()
    inspectTeardowns()
    inspectClosing()
  }

  /// Records a violation if a condition is false.
  mutating func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { violations.append(sentence()) }
  }

  private mutating func inspect(_ report: Report) {
    let failed = report.records.filter(\.outcome.isFailed).map(\.name)
    let decisiveFailure = report.cancellation?.failedPebble
    if let name = decisiveFailure {
      expect(failed.contains(name), "the run was cancelled for \(name), which has not failed")
    }
    if report.cancellation == .deadlinePassed {
      expect(plan.within != nil, "a deadline passed that the run did not have")
    }
    switch plan.policy {
    case .ignore:
      expect(decisiveFailure == nil, "a failure cancelled the run")
    case .cancelAll:
      // Services that have ended since then do not cancel a run that is over.
      let unhandled = report.unhandledFailures.filter(\.outcome.isFailed).map(\.name)
      expect(
        report.isCancelled || unhandled.isEmpty, "\(unhandled) failed, and the run went on")
    case .custom(let divisor):
      let decisive = plan.pebbles.indices.filter {
        $0.isMultiple(of: divisor) && failed.contains(plan.pebbles[$0].name)
      }
      expect(report.isCancelled || decisive.isEmpty, "\(decisive) failed, and the run went on")
    }
    for record in report.records {
      expect(record.finished <= report.makespan, "\(record.name) settled after the end")
      expect(!record.isStillRunning, "\(record.name) is said to be running after all")
    }
  }

  /// Checks that each run evaluates the `.enabled` trait of each pebble once, and calls the failure
  /// policy once for each failure.
  private mutating func inspectQuestions() {
    for (position, pebble) in plan.pebbles.enumerated() {
      let asked = tally.asked[position, default: 0]
      let times = pebble.isEnabled == nil ? 0 : reports.count
      expect(asked == times, "\(pebble.name) was asked \(asked) times if it is enabled")

      guard case .custom = plan.policy else { continue }
      let judged = tally.judged[position, default: 0]
      let failed = reports.count { $0.records[position].outcome.isFailed }
      expect(judged == failed, "\(failed) failures of \(pebble.name) were judged \(judged) times")
    }
  }
}
