import Pebbles

extension SoakInspection {
  /// Exactly what succeeded is torn down, exactly once, and what needed it before it.
  mutating func inspectTeardowns() {
    // One that was given up may have been so before its task had a turn; it is not called then.
    var (called, givenUp): ([Int: Int], [Int: Int]) = ([:], [:])
    for report in reports {
      guard let shutdown = report.shutdown else { continue }
      expect(
        report.isCancelled || isShutDown || hasServiceThatEndsRun(report),
        "the run was torn down for no reason")
      let tornDown = shutdown.records.map { plan.position(of: $0.pebble) }
      let succeeded = plan.pebbles.indices.filter {
        plan.pebbles[$0].canBeTornDown && report.records[$0].outcome.isSucceeded
      }
      expect(
        tornDown.sorted() == succeeded, "\(succeeded) succeeded, and \(tornDown) are torn down")
      for record in shutdown.records { inspect(record) }
      for record in shutdown.records where record.started != nil {
        let pebble = plan.position(of: record.pebble)
        guard plan.pebbles[pebble].teardown != nil else { continue }
        if record.error is PebbleTimeout {
          givenUp[pebble, default: 0] += 1
        } else {
          called[pebble, default: 0] += 1
        }
      }
    }
    for pebble in plan.pebbles.indices {
      let own = tally.teardowns.filter { $0.pebble == pebble }
      let least = called[pebble, default: 0]
      expect(
        (least...least + givenUp[pebble, default: 0]).contains(own.count),
        "p\(pebble) was torn down \(own.count) times, and reports say \(least)")
      let tickets = own.compactMap(\.ticket)
      expect(Set(tickets).count == tickets.count, "p\(pebble) was torn down twice in a run")
      for ticket in tickets { expect(isOutput(ticket), "p\(pebble) was torn down with \(ticket)") }
    }
    if reports.count == 1, let report = reports.first { inspectOrder(report) }
  }

  private mutating func inspect(_ record: TeardownRecord) {
    let mishap = plan.pebble(named: record.pebble).teardown?.mishap
    switch record.error {
    case nil: expect(mishap == nil, "the teardown of \(record.pebble) was to fail")
    case let error as SoakMishap:
      expect(error == mishap, "the teardown of \(record.pebble) failed: \(error)")
    case is PebbleTimeout, is CancellationError:
      expect(hasShutdownLimit, "the teardown of \(record.pebble) was cut off without a limit")
    case let error?: expect(false, "the teardown of \(record.pebble) failed: \(error)")
    }
  }

  private mutating func inspectOrder(_ report: Report) {
    let calls = Dictionary(tally.teardowns.map { ($0.pebble, $0) }, uniquingKeysWith: { $1 })
    for (pebble, call) in calls {
      if plan.pebbles[pebble].isService {
        let last = report.records[pebble].attempts.count
        let wentOn = notes[..<call.noteCount].reduce(0) { count, note in
          guard note.ticket.pebble == pebble, note.ticket.attempt == last else { return count }
          return note.event == .entered ? count + 1 : note.event == .left ? count - 1 : count
        }
        expect(wentOn == 0, "the service p\(pebble) was torn down while it was running")
      }
      if hasShutdownLimit { continue }
      for need in plan.pebbles[pebble].wholeFormula.plainNeeds {
        guard let needed = calls[need] else { continue }
        expect(
          call.lastStep ?? .max < needed.firstStep,
          "p\(need) was torn down before p\(pebble), which needs it")
      }
    }
  }

  private var isShutDown: Bool {
    if case .start(let shutdowns) = plan.scenario { !shutdowns.isEmpty } else { false }
  }

  private func hasServiceThatEndsRun(_ report: Report) -> Bool {
    zip(plan.pebbles, report.records).contains { $0.endsRun && $1.outcome.isSucceeded }
  }

  private var hasShutdownLimit: Bool {
    if case .start(let shutdowns) = plan.scenario {
      shutdowns.contains { $0.limit != nil }
    } else {
      false
    }
  }

  private func isOutput(_ ticket: SoakTicket) -> Bool {
    guard let handle = handles[ticket.pebble].ticket else { return false }
    return reports.contains { $0.identifier == ticket.run && $0[handle] == ticket }
  }
}
