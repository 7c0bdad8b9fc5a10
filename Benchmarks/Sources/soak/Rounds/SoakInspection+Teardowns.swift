import Pebbles

extension SoakInspection {
  /// Checks that a shutdown tears down every pebble that succeeded, and that it tears down a pebble
  /// only after the pebbles that depend on it.
  mutating func inspectTeardowns() {
    for report in reports {
      guard let shutdown = report.shutdown else { continue }
      expect(
        report.isCancelled || plan.isShutDown || hasServiceThatEndsRun(report),
        "the run was torn down for no reason")
      // A body that was left behind is listed too, although its teardown has not begun.
      let begun = shutdown.records.filter { record in
        record.started != nil
          || !(report.records[plan.position(of: record.pebble)].outcome.error is PebbleTimeout)
      }
      let tornDown = begun.map { plan.position(of: $0.pebble) }
      let succeeded = plan.pebbles.indices.filter {
        plan.pebbles[$0].canBeTornDown && report.records[$0].outcome.isSucceeded
      }
      // A pebble that has run other ponds may itself have failed.
      let others = Set(tornDown).subtracting(succeeded)
      expect(
        Set(tornDown).count == tornDown.count && Set(tornDown).isSuperset(of: succeeded)
          && others.allSatisfy { plan.pebbles[$0].attempts.contains { $0.nestedPebbles > 0 } },
        "\(succeeded) succeeded, and \(tornDown) are torn down")
      for record in shutdown.records { inspect(record) }
    }
    for call in tally.teardowns {
      guard let ticket = call.ticket else { continue }
      let wentOn = notes[..<call.noteCount].reduce(0) { count, note in
        guard note.ticket == ticket else { return count }
        return note.event == .entered ? count + 1 : note.event == .left ? count - 1 : count
      }
      expect(wentOn == 0, "\(ticket) was torn down while its body was running")
    }
    if !plan.hasShutdownLimit { for report in reports { inspectOrder(report) } }
  }

  private mutating func inspect(_ record: TeardownRecord) {
    let pebble = plan.pebble(named: record.pebble)
    let mishap = pebble.teardown?.mishap
    switch record.error {
    case nil:
      // A failed pebble may be listed because of its nested runs. And a service is torn down before
      // each restart.
      let isExempt = pebble.isRestarted || pebble.attempts.contains { $0.nestedPebbles > 0 }
      expect(mishap == nil || isExempt, "the teardown of \(record.pebble) was to fail")
    case let error as SoakMishap:
      expect(error == mishap, "the teardown of \(record.pebble) failed: \(error)")
    case ServiceError.didNotStop?:
      expect(
        pebble.service?.stopWithin != nil || plan.hasShutdownLimit,
        "the service \(record.pebble) was given up too early")
    case is PebbleTimeout, is CancellationError:
      expect(
        plan.hasShutdownLimit, "the teardown of \(record.pebble) was cut off without a limit")
    case let failures as TeardownFailures:
      // A nested service was given up, or a value given for the duration of the attempt. A lack of
      // time is acceptable, because the clock leaps.
      expect(
        pebble.attempts.contains { $0.nestedPebbles > 0 }
          && failures.areOfTime(alsoLimits: plan.hasShutdownLimit || pebble.timeout != nil),
        "the shutdown inside of \(record.pebble) failed: \(failures)")
    case let error?: expect(false, "the teardown of \(record.pebble) failed: \(error)")
    }
  }

  private mutating func inspectOrder(_ report: Report) {
    guard let shutdown = report.shutdown else { return }
    let givenUp = Set(shutdown.records.filter { $0.error is ServiceError }.map(\.pebble))
    var calls: [Int: SoakLedger.Teardown] = [:]
    for call in tally.teardowns {
      let record = report.records[call.pebble]
      guard call.ticket?.run == report.identifier, record.outcome.isSucceeded,
        call.ticket?.attempt == record.attempts.count,
        // Torn down before a restart, even if the restart does not happen.
        !plan.pebbles[call.pebble].isRestarted,
        !givenUp.contains(record.name)
      else { continue }
      calls[call.pebble] = call
    }
    for (pebble, call) in calls {
      for need in plan.pebbles[pebble].wholeFormula.plainNeeds {
        // A service with `stopsBefore` stops first if the two orders contradict each other.
        guard let needed = calls[need], plan.pebbles[need].service?.stopsBefore.isEmpty != false
        else { continue }
        expect(
          call.lastStep ?? .max < needed.firstStep,
          "p\(need) was torn down before p\(pebble), which needs it")
      }
    }
    for (pebble, plan) in plan.pebbles.enumerated() where !givenUp.contains(plan.name) {
      guard let service = plan.service, report.records[pebble].outcome.isSucceeded,
        let end = notes.lastIndex(where: {
          $0.ticket.pebble == pebble && $0.ticket.run == report.identifier && $0.event == .left
        })
      else { continue }
      for target in service.stopsBefore {
        guard let call = calls[target] else { continue }
        expect(
          end < call.noteCount, "p\(target) was torn down before the service p\(pebble) stopped")
      }
    }
  }

  private func hasServiceThatEndsRun(_ report: Report) -> Bool {
    zip(plan.pebbles, report.records).contains { $0.endsRun && $1.outcome.isSucceeded }
  }
}

extension TeardownFailures {
  /// Returns whether all failures, including those of nested runs, are due to time limits.
  fileprivate func areOfTime(alsoLimits: Bool) -> Bool {
    records.allSatisfy { record in
      if let inner = record.error as? TeardownFailures {
        return inner.areOfTime(alsoLimits: alsoLimits)
      }
      return record.error is ServiceError || alsoLimits && record.error is PebbleTimeout
    }
  }
}
