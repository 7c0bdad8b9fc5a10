import Pebbles

/// An observer of a run that compares its events with the report.
struct SoakObserver: Sendable {
  private let all: Task<[RunEvent], Never>?
  private let some: Task<[RunEvent], Never>?
  private let hearsBeginning: Bool

  init(_ run: Run, _ observation: SoakPlan.Observation, _ clock: LeapingClock) {
    hearsBeginning = observation.keepsHistory
    switch observation {
    case .nobody:
      all = nil
      some = nil
    case .history:
      all = Self.listen(to: run.events(bufferingNewest: 10_000)) {}
      some = nil
    case .slow(let capacity, let pause):
      all = Self.listen(to: run.events(bufferingNewest: 10_000)) {}
      some = Self.listen(to: run.events(bufferingNewest: capacity)) {
        try? await clock.sleep(for: pause)
      }
    }
  }

  private static func listen(
    to events: RunEvents, _ dawdle: @escaping @Sendable () async -> Void
  ) -> Task<[RunEvent], Never> {
    Task {
      var heard: [RunEvent] = []
      for await event in events {
        heard.append(event)
        await dawdle()
      }
      return heard
    }
  }

  /// Waits until the events have ended, and returns the contradictions between the events and the
  /// report. The events must end while the run is still in use.
  func contradictions(to run: Run) async -> [String] {
    guard let all = await all?.value, let report = try? await run.report else { return [] }
    var contradictions: [String] = []
    if hearsBeginning {
      for record in report.records { contradictions += self.contradictions(of: all, to: record) }
    }
    let ends = all.filter { $0.kind == .runEnded }.map(\.isCancelled)
    // Without a history the run may have ended before the observation began.
    if ends != [report.isCancelled], hearsBeginning || !ends.isEmpty {
      contradictions.append("the end was told as \(ends) of \(report)")
    }

    if let some = await some?.value {
      let dropped = some.reduce(0) { $0 + $1.droppedCount }
      let taken = some.count { $0.kind != .dropped }
      if taken + dropped > all.count {
        contradictions.append("of \(all.count) events a slow observer has \(taken) and \(dropped)")
      }
    }
    return contradictions
  }

  /// Returns the contradictions between the events of a pebble and its record.
  private func contradictions(of events: [RunEvent], to record: PebbleRecord) -> [String] {
    let told = events.compactMap { Self.word(for: $0, of: record.name) }
    var expected: [String] = []
    if record.started != nil {
      expected = ["ready"]
      for (number, attempt) in zip(1..., record.attempts) {
        expected.append("started \(number)")
        if attempt.error != nil { expected.append("failed \(number)") }
      }
    }
    switch record.outcome {
    case .succeeded: expected.append("settled as succeeded")
    case .failed: expected.append("settled as failed")
    case .skipped:
      expected.append("settled as skipped")
      // The pebble may have become ready before the run was cancelled.
      if told == ["ready"] + expected { return [] }
    }
    if told == expected { return [] }
    return ["of \(record.name) events tell \(told), and the report \(expected)"]
  }

  /// Returns a description of an event; `nil` if the event belongs to a pebble other than the given
  /// one, or is not compared.
  private static func word(for event: RunEvent, of pebble: String) -> String? {
    guard event.pebble == pebble else { return nil }
    switch event.kind {
    case .ready: return "ready"
    case .attemptStarted: return "started \(event.attempt ?? 0)"
    case .attemptFailed: return "failed \(event.attempt ?? 0)"
    case .settled: return event.outcome.map { "settled as \(word(for: $0))" }
    default: return nil
    }
  }

  private static func word(for outcome: Outcome) -> String {
    switch outcome {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }
}
