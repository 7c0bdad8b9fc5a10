import Pebbles

extension SoakInspection {
  mutating func inspect(
    _ record: PebbleRecord, at position: Int, _ notes: [SoakLedger.Note], _ report: Report
  ) {
    let pebble = plan.pebbles[position]
    inspectStarts(of: pebble, record, notes)
    inspectTimes(of: record)
    inspectCondition(of: pebble, record, report)
    inspectOutcome(of: pebble, record, notes, report)
    if pebble.retry != nil, pebble.service?.restartsWith == nil {
      inspectRetries(of: pebble, record)
    }
    switch pebble.form {
    case .callback: inspectCompletions(of: pebble, record, notes)
    case .plain, .inputs: inspectOutput(of: position, record, notes, report)
    case .service:
      inspectOutput(of: position, record, notes, report)
      inspectRestarts(of: pebble, record, notes)
    }
  }

  /// Checks that every attempt corresponds to one call to the body. If the outermost layer fails
  /// the attempt without calling the body, this counts as a call. The call may be missing if a
  /// timeout, a cancellation, or the service with which the pebble is restarted ended the attempt
  /// before the body could begin.
  private mutating func inspectStarts(
    of pebble: SoakPebble, _ record: PebbleRecord, _ notes: [SoakLedger.Note]
  ) {
    let attempts = record.attempts.count
    // Later calls of a service are checked as restarts.
    let begun = notes.filter(\.event.isCallOfBody).map(\.ticket.attempt).filter {
      !pebble.isRestarted || $0 <= attempts
    }
    let isWhole = record.attempts.enumerated().allSatisfy { number, attempt in
      let calls = begun.count { $0 == number + 1 }
      let isUncalled =
        attempt.error is PebbleTimeout || attempt.error is CancellationError
        || pebble.isGivenUpWhenRecalled(attempt.error)
      return calls == 1 || calls == 0 && isUncalled
    }
    expect(
      isWhole && begun.allSatisfy { $0 <= attempts },
      "\(pebble.name) has \(attempts) attempts in its record, and began \(begun)")
    expect(
      attempts <= pebble.mostAttempts || pebble.service?.restartsWith != nil,
      "\(pebble.name) was tried \(attempts) times; at most \(pebble.mostAttempts) are allowed")
  }

  private mutating func inspectTimes(of record: PebbleRecord) {
    var last = record.ready ?? record.finished
    var isInOrder = true
    for attempt in record.attempts {
      isInOrder = isInOrder && last <= attempt.started && attempt.started <= attempt.finished
      last = attempt.finished
    }
    expect(isInOrder && last <= record.finished, "the times of \(record.name) are not in order")
  }

  /// Checks the condition of a pebble. It must be true if the pebble ran, and false if the pebble
  /// was skipped because of its condition.
  private mutating func inspectCondition(
    of pebble: SoakPebble, _ record: PebbleRecord, _ report: Report
  ) {
    let holds = pebble.wholeFormula.value(report.records.map(\.outcome))
    switch record.outcome {
    case .succeeded, .failed:
      expect(holds, "\(pebble.name) ran although its condition does not hold")
      expect(pebble.isEnabled != false, "\(pebble.name) ran although it is disabled")
    case .skipped(let reason) where reason.isConditionFalse:
      expect(!holds, "\(pebble.name) was skipped although its condition holds")
    case .skipped(.cancelled):
      expect(report.isCancelled, "\(pebble.name) was cancelled in a run that was not")
    case .skipped(.disabled):
      expect(pebble.isEnabled == false, "\(pebble.name) was skipped as disabled but is not")
    case .skipped(let reason) where isHeld(reason, report):
      break
    case .skipped(let reason) where reason.isStalled:
      expect(
        plan.pebbles.contains(where: \.isFormulaSetLater), "\(pebble.name) stalled without a cycle")
    case .skipped(let reason):
      expect(false, "\(pebble.name) was skipped for a reason that it cannot have: \(reason)")
    }
  }

  /// Returns whether a pebble was skipped because another pebble may still hold a resource. The
  /// other pebble timed out while its body continued, or failed while its nested runs were still
  /// being shut down, or is a service that is restarted.
  private func isHeld(_ reason: SkipReason, _ report: Report) -> Bool {
    zip(plan.pebbles, report.records).contains { pebble, record in
      if pebble.isRestarted, reason == .resourceHeld(by: record.name) { return true }
      let ranPonds = pebble.timeout != nil && pebble.attempts.contains { $0.nestedPebbles > 0 }
      return reason == .resourceHeld(by: record.name)
        && (record.outcome.error is PebbleTimeout || record.outcome.error != nil && ranPonds)
        && (pebble.exclusiveKey != nil || pebble.connections > 0)
    }
  }

  /// Checks that every restart corresponds to at most one call to the body, and that there are no
  /// more restarts than the policy allows.
  private mutating func inspectRestarts(
    of pebble: SoakPebble, _ record: PebbleRecord, _ notes: [SoakLedger.Note]
  ) {
    let first = record.attempts.count
    let calls = notes.filter { $0.event.isCallOfBody && $0.ticket.attempt > first }
    let numbers = calls.map(\.ticket.attempt)
    expect(
      Set(numbers).count == numbers.count && numbers.count <= record.restartCount,
      "\(pebble.name) was restarted \(record.restartCount) times, and called as \(numbers)")
    if pebble.service?.restartsWith != nil { return }
    guard case .restart(let retry, let time) = pebble.service?.ending else {
      return expect(record.restartCount == 0, "\(pebble.name) was restarted without a policy")
    }
    // After being ready for long enough, restarts are counted from zero.
    expect(
      time < .seconds(1) || record.restartCount < retry.mostAttempts,
      "\(pebble.name) was restarted \(record.restartCount) times, against its policy")
    for (one, next) in zip(record.restarts, record.restarts.dropFirst()) {
      expect(
        next.attempt == one.attempt + 1 && next.time >= one.time,
        "the restarts of \(pebble.name) are not in order")
    }
  }

  /// Checks that a pebble has the outcome of its last attempt, and that this attempt ended as
  /// planned unless it was cut short.
  private mutating func inspectOutcome(
    of pebble: SoakPebble, _ record: PebbleRecord, _ notes: [SoakLedger.Note], _ report: Report
  ) {
    guard let last = record.attempts.last else { return }
    let attempt = pebble.attempt(record.attempts.count)
    expect(
      record.outcome.isSucceeded == (last.error == nil),
      "\(pebble.name) did not end as its last attempt")
    switch record.outcome.error {
    case nil:
      expect(attempt.canSucceed(as: pebble.form), "\(pebble.name) succeeded; it was to fail")
    case let timeout as PebbleTimeout where timeout.isLimitOfShutdown:
      expect(
        plan.hasShutdownLimit && report.isCancelled,
        "\(pebble.name) was given up by a shutdown without limit")
    case let timeout as PebbleTimeout:
      let limit = timeout.isLimitOfRun ? plan.within : pebble.timeout
      expect(timeout.limit == limit, "\(pebble.name) timed out after \(timeout.limit)")
      let time = timeout.isLimitOfRun ? last.finished : last.finished - last.started
      expect(time >= timeout.limit, "\(pebble.name) timed out too early, after \(time)")
    case is CancellationError:
      expect(report.isCancelled, "\(pebble.name) was cancelled in a run that was not")
    case let mishap as SoakMishap:
      expect(
        attempt.expectedMishaps.contains(mishap),
        "\(pebble.name) failed as \(mishap), which was not planned")
    case is CompletionError, is ServiceError:
      expect(
        !attempt.mustSucceed(as: pebble.form) || pebble.isGivenUpWhenRecalled(record.outcome.error),
        "\(pebble.name) failed without a plan: \(record)")
    case let error?:
      expect(false, "\(pebble.name) failed as nobody knows: \(error)")
    }
    inspectNestedReports(of: pebble, record, notes)
  }

  private mutating func inspectNestedReports(
    of pebble: SoakPebble, _ record: PebbleRecord, _ notes: [SoakLedger.Note]
  ) {
    let known = record.nestedReports.count
    let ended = notes.count { $0.event == .nestedRunEnded }
    // The reports of runs that a service starts after its pebble has settled are not kept.
    let mayBeLate = pebble.timeout != nil || plan.hasLastMoment || pebble.isService
    expect(
      known == ended || mayBeLate && known < ended,
      "\(pebble.name) ran \(ended) nested ponds and has \(known) reports")
  }

  private mutating func inspectRetries(of pebble: SoakPebble, _ record: PebbleRecord) {
    for (index, (one, next)) in zip(record.attempts, record.attempts.dropFirst()).enumerated() {
      expect(one.error != nil, "\(pebble.name) was tried again after a success")
      expect(
        pebble.retry?.isSelective != true || one.error as? SoakMishap != .fatal,
        "\(pebble.name) was tried again after a fatal error")
      let wait = next.started - one.finished
      expect(
        wait >= pebble.retry?.leastWaits[index] ?? .zero,
        "\(pebble.name) was tried again too early, after \(wait)")
    }
  }

  /// An upper bound on the number of calls to the completion in an attempt. Only one of them
  /// decides the outcome; the others are ignored.
  private static let mostCallsOfBody = 4

  private mutating func inspectCompletions(
    of pebble: SoakPebble, _ record: PebbleRecord, _ notes: [SoakLedger.Note]
  ) {
    var least = 0
    var most = 0
    for (number, attempt) in zip(1..., record.attempts) {
      let calls = notes.count { $0.event == .called && $0.ticket.attempt == number }
      least += max(0, calls - 1)
      // A failure may have been decided by a timeout or a cancellation.
      most += attempt.error == nil ? max(0, calls - 1) : calls
      // A body that was left behind may still call the completion during this check, up to the
      // maximum.
      if attempt.error is PebbleTimeout { most += Self.mostCallsOfBody }
    }
    let ignored = record.ignoredCompletions
    expect(
      (least...most).contains(ignored),
      "\(pebble.name) has \(ignored) ignored completions, not \(least) to \(most)")
  }

  private mutating func inspectOutput(
    of position: Int, _ record: PebbleRecord, _ notes: [SoakLedger.Note], _ report: Report
  ) {
    guard let handle = handles[position].ticket else { return }
    let ticket = SoakTicket(
      run: report.identifier, pebble: position, attempt: record.attempts.count)
    expect(
      report[handle] == (record.outcome.isSucceeded ? ticket : nil),
      "\(record.name) has the output \(String(describing: report[handle]))")
  }
}

extension SoakPebble {
  /// Returns whether a service failed to become ready because of the service with which it is
  /// restarted.
  fileprivate func isGivenUpWhenRecalled(_ error: (any Error)?) -> Bool {
    switch error as? ServiceError {
    case .staysDown: true
    case .didNotStop: service?.restartsWith != nil && service?.stopWithin != nil
    default: false
    }
  }
}

extension SoakAttempt {
  fileprivate var expectedMishaps: [SoakMishap] {
    switch aroundFault {
    case .none: return mishap.map { [$0] } ?? []
    case .insteadOfBody: return [.injected]
    case .afterBody:
      guard let mishap else { return [.injected] }
      // The opposite call, a success, may come first.
      if case .twiceAtOnce = call { return [mishap, .injected] }
      return [mishap]
    }
  }

  /// Returns whether the plan allows the attempt to succeed.
  fileprivate func canSucceed(as form: SoakPebble.Form) -> Bool {
    switch form {
    case .service:
      if case .endsBeforeReady = service { return false }
      // The layer around a service notices nothing before the service has ended.
      return mishap == nil && aroundFault != .insteadOfBody
    case .callback:
      // The second call reports the opposite of the first, and may come first.
      if case .twiceAtOnce = call { return aroundFault == .none }
      return mustSucceed(as: form)
    case .plain, .inputs:
      return mustSucceed(as: form)
    }
  }

  fileprivate func mustSucceed(as form: SoakPebble.Form) -> Bool {
    guard mishap == nil, aroundFault == .none else { return false }
    switch form {
    case .plain, .inputs: return true
    case .service:
      if case .endsBeforeReady = service { return false }
      return true
    case .callback:
      switch call {
      case .once, .later, .twice, .onceAndLate: return true
      case .twiceAtOnce, .never, .droppedLater: return false
      }
    }
  }
}
