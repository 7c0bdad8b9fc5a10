import Pebbles

/// The body of a pebble of the soak. It follows the plan, and records its actions.
struct SoakBody: Sendable {
  let pebble: SoakPebble
  let position: Int
  let clock: LeapingClock
  let ledger: SoakLedger

  func isEnabled() -> Bool {
    ledger.wasAsked(position)
    return pebble.isEnabled ?? true
  }

  func run() async throws -> SoakTicket {
    let (ticket, attempt) = enter()
    defer { ledger.note(.left, ticket) }
    try await perform(attempt.work)
    await runNested(attempt, ticket)
    if let mishap = attempt.mishap { throw mishap }
    if pebble.teardown != nil { ledger.note(.opened, ticket) }
    return ticket
  }

  /// Runs the body, on the main actor if this is its planned place. Any other planned place is set
  /// in the definition of the pebble.
  func runInPlace() async throws -> SoakTicket {
    switch pebble.place {
    case .pool, .executor, .threads: try await run()
    case .mainActor: try await runOnMainActor()
    }
  }

  @MainActor
  private func runOnMainActor() async throws -> SoakTicket {
    let ticket = try await run()
    MainActor.preconditionIsolated()
    return ticket
  }

  // Runs a body with inputs: `inputs` are the expected makers of tickets, and the tickets received,
  // if any.
  func run(given inputs: (maker: Int, ticket: SoakTicket?)...) async throws -> SoakTicket {
    check(inputs)
    return try await self.run()
  }

  private func check(_ inputs: [(maker: Int, ticket: SoakTicket?)]) {
    let run = PebbleContext.current?.runIdentifier
    for case (let maker, let ticket?) in inputs where ticket.pebble != maker || ticket.run != run {
      ledger.complain("\(pebble.name) was handed \(ticket), which is not of p\(maker) and this run")
    }
  }

  func run(_ complete: Completion) async throws {
    let (ticket, attempt) = enter()
    defer { ledger.note(.left, ticket) }
    try await perform(attempt.work)
    await runNested(attempt, ticket)

    let call: @Sendable (_ isSecond: Bool) -> Void = { isSecond in
      ledger.note(.called, ticket)
      // The second call reports the opposite of the first.
      if let mishap = attempt.mishap, !isSecond {
        complete.fail(mishap)
      } else {
        complete(!isSecond || attempt.mishap != nil)
      }
    }
    switch attempt.call {
    case .once:
      call(false)
    case .later(let delay):
      goOn(after: delay) { call(false) }
    case .twice:
      call(false)
      call(true)
    case .twiceAtOnce:
      goOn { call(false) }
      goOn { call(true) }
    case .onceAndLate(let delay):
      call(false)
      goOn(after: delay) { call(true) }
    case .never:
      break
    case .droppedLater(let delay):
      goOn(after: delay) { withExtendedLifetime(complete) {} }
    }
  }

  func run(
    _ ready: ServiceReady<SoakTicket>, given inputs: (maker: Int, ticket: SoakTicket?)...
  ) async throws {
    check(inputs)
    let (ticket, attempt) = enter()
    defer { ledger.note(.left, ticket) }
    if let leader = pebble.service?.restartsWith, pebble.service?.stopWithin == nil,
      pebble.timeout == nil
    {
      ledger.uses(inputs.first { $0.maker == leader }?.ticket, ticket)
    }
    try await perform(attempt.work)
    if !attempt.isNestedAfterReady { await runNested(attempt, ticket) }
    if let mishap = attempt.mishap { throw mishap }
    if case .endsBeforeReady = attempt.service { return }

    if pebble.teardown != nil { ledger.note(.opened, ticket) }
    ledger.note(.ready, ticket)
    ready(ticket)
    if attempt.isNestedAfterReady { await runNested(attempt, ticket) }
    switch attempt.service {
    case .endsBeforeReady:
      break
    case .untilStopped(let stubbornness):
      try? await clock.sleepUntilEnd()
      // A service that takes time after the end of the round would be restarted forever.
      if let stubbornness, !clock.hasEnded { await sleepStubbornly(for: stubbornness) }
      ready(ticket)
    case .drains(let time):
      await untilAskedToStop(ready)
      if !clock.hasEnded { try await clock.sleep(for: time) }
    case .neverStops:
      await sleepUntilEndStubbornly()
    case .endsAfter(let delay, let mishap):
      if !clock.hasEnded { try? await clock.sleep(for: delay) }
      if let mishap { throw mishap }
    }
  }

  /// Waits until the service is asked to stop, or until the round is over. A run that is not shut
  /// down may never ask its services to stop.
  private func untilAskedToStop(_ ready: ServiceReady<SoakTicket>) async {
    await withTaskGroup { group in
      group.addTask { await ready.stopRequested() }
      group.addTask { try? await clock.sleepUntilEnd() }
      await group.next()
      group.cancelAll()
    }
    if !ready.isStopRequested, !clock.hasEnded, !Task.isCancelled {
      ledger.complain("\(pebble.name) was told to stop without being asked to")
    }
  }

  func tearDown(_ ticket: SoakTicket?) async throws {
    let number = ledger.teardownBegan(position, ticket)
    defer { ledger.teardownEnded(number) }
    guard let teardown = pebble.teardown else { return }
    try await perform(teardown)
    if let mishap = teardown.mishap { throw mishap }
  }

  /// Calls the body of a pebble. This method is the outermost layer around the bodies of the pond.
  func callAround(_ context: PebbleContext, _ body: @Sendable () async throws -> Void) async throws
  {
    let ticket = SoakTicket(run: context.runIdentifier, pebble: position, attempt: context.attempt)
    switch attempt(context.attempt).aroundFault {
    case .none:
      try await body()
    case .insteadOfBody:
      ledger.note(.injected, ticket)
      throw SoakMishap.injected
    case .afterBody:
      try await body()
      throw SoakMishap.injected
    }
  }

  private func enter() -> (SoakTicket, SoakAttempt) {
    guard let context = PebbleContext.current, context.pebble == pebble.name,
      context.attempt <= pebble.attempts.count || pebble.isRestarted
    else {
      preconditionFailure("\(pebble.name) runs as \(String(describing: PebbleContext.current))")
    }
    let ticket = SoakTicket(run: context.runIdentifier, pebble: position, attempt: context.attempt)
    ledger.note(.entered, ticket)
    return (ticket, attempt(context.attempt))
  }

  private func attempt(_ number: Int) -> SoakAttempt { pebble.attempt(number) }

  private func perform(_ work: SoakWork) async throws {
    for _ in 0..<work.turns { await Task.yield() }
    if work.isStuck {
      if pebble.place == .threads { return clock.blockUntilEnd() }
      return await sleepUntilEndStubbornly()
    }
    guard let wait = work.wait else { return }
    if work.isStubborn {
      await sleepStubbornly(for: wait)
    } else {
      try await clock.sleep(for: wait)
    }
  }

  func sleepStubbornly(for duration: Duration) async {
    // In a separate task, which is not cancelled.
    await Task.detached { try? await clock.sleep(for: duration) }.value
  }

  private func sleepUntilEndStubbornly() async {
    await Task.detached { try? await clock.sleepUntilEnd() }.value
  }

  private func goOn(after delay: Duration = .zero, _ work: @escaping @Sendable () -> Void) {
    ledger.goOn { [clock] in
      try? await clock.sleep(for: delay)
      work()
    }
  }
}
