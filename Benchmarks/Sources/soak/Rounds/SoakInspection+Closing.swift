import Pebbles

extension SoakInspection {
  /// Checks that every opened resource was closed exactly once, no matter when. If a resource is
  /// kept by a run that was not torn down, it must still be open.
  mutating func inspectClosing() {
    var closings: [SoakTicket: Int] = [:]
    for ticket in tally.teardowns.compactMap(\.ticket) { closings[ticket, default: 0] += 1 }
    let opened = notes.filter { $0.event == .opened }.map(\.ticket)
    for ticket in Set(closings.keys).subtracting(opened) {
      expect(false, "\(ticket) was torn down, and never opened")
    }
    for report in reports {
      for ticket in opened where ticket.run == report.identifier {
        let expected = isKept(ticket, report) ? 0 : 1
        let count = closings[ticket, default: 0]
        expect(
          count == expected,
          "p\(ticket.pebble) opened something in its attempt \(ticket.attempt), which was closed "
            + "\(count) times; \(expected) was right")
      }
      inspectNestedClosing(report)
    }
    inspectCallbacks()
    // A shutdown without time left closes resources that are still used.
    if !plan.hasShutdownLimit { for use in tally.usesOfClosed { expect(false, use) } }
  }

  /// Returns whether a resource that a body opened is expected to stay open.
  private func isKept(_ ticket: SoakTicket, _ report: Report) -> Bool {
    let record = report.records[ticket.pebble]
    guard report.shutdown == nil, record.outcome.isSucceeded else { return false }
    // The service was asked to stop without a shutdown, because a service that it restarts with is
    // down for good.
    let isRecalled = plan.pebbles[ticket.pebble].service?.restartsWith != nil
    if isRecalled, record.serviceEnd?.wasAsked == true { return false }
    if record.attempts.count == ticket.attempt { return record.restartCount == 0 }
    return ticket.attempt > record.attempts.count
      && record.restarts.allSatisfy { $0.attempt <= ticket.attempt }
  }

  /// Checks the resources of nested runs. Each must be closed exactly once. If a nested run is
  /// still up, and the attempt that started the run keeps its own resource open, none may be
  /// closed.
  private mutating func inspectNestedClosing(_ report: Report) {
    for (identifier, run) in tally.nestedRuns where run.parent.run == report.identifier {
      let isUp = run.isUp && report.records[run.parent.pebble].serviceEnd == nil
      let expected = isUp && isKept(run.parent, report) ? 0 : 1
      for (page, count) in run.opened {
        let closed = run.closed[page, default: 0]
        expect(
          count == 1 && closed == expected,
          "the run \(identifier) of p\(run.parent.pebble) has opened page \(page) \(count) times "
            + "and closed it \(closed) times; \(expected) was right")
      }
    }
  }

  /// Checks the teardowns of callback pebbles, which do not receive a ticket. A callback pebble
  /// must be torn down at least once for each success in a run that was shut down, and at most once
  /// for each such success or for each attempt that called its completion, whichever is more.
  private mutating func inspectCallbacks() {
    for (position, pebble) in plan.pebbles.enumerated() where pebble.teardown != nil {
      guard case .callback = pebble.form else { continue }
      let closed = tally.teardowns.count { $0.pebble == position }
      let least = reports.count {
        $0.shutdown != nil && $0.records[position].outcome.isSucceeded
      }
      let called = notes.filter { $0.ticket.pebble == position && $0.event == .called }
      let most = Set(called.map(\.ticket)).count
      expect(
        (least...max(least, most)).contains(closed),
        "\(pebble.name) was torn down \(closed) times, not \(least) to \(most)")
    }
  }
}
