import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that the events of each pebble are published exactly once and in order, and that causes
/// come before their effects.
@Suite(.watched) struct RunEventCompletenessTests {
  @Test(arguments: [nil, 3] as [Int?], [false, true])
  func everyStoryIsWhole(maxConcurrent: Int?, cancelsAll: Bool) async throws {
    let policy = cancelsAll ? FailurePolicy.cancelAll : .ignore
    let story = StoryPond(Pond("stories", maxConcurrent: maxConcurrent, onFailure: policy))

    for _ in 0..<Thoroughness.times(30) {
      let run = try story.pond.start(eventHistory: 10_000)
      var events: [RunEvent] = []
      for await event in run.events { events.append(event) }
      let report = try await run.report

      let stories = Stories(events, operands: story.operands)
      #expect(stories.faults == [])
      #expect(stories.endings.count == report.records.count)
      for record in report.records {
        #expect(stories.endings[record.name] == "\(record.outcome)")
      }
    }
  }
}

/// A pond with pebbles of many kinds. All except the first few depend on two others.
private struct StoryPond {
  let pond: Pond

  /// The pebbles that must have settled before a pebble can be ready, keyed by the name of that
  /// pebble.
  private(set) var operands: [String: [String]] = [:]

  init(_ pond: Pond) {
    self.pond = pond
    var known: [Pebble<Void>] = []
    for number in 0..<48 {
      let name = "\(number)"
      let body: @Sendable () async throws -> Void = {
        if number % 3 == 0 { await Task.yield() }
        if number % 13 == 12 { throw Breakdown() }
      }
      guard number >= 8 else {
        known.append(pond.pebble(name, body: body))
        continue
      }
      let (one, other) = (known[number - 8], known[number - 5])
      operands[name] = [one.name, other.name]
      let isFine = number % 7 != 0
      let condition = (isFine ? one.settled : one.failed) && other.settled
      let isEnabled: @Sendable () -> Bool = { number % 10 != 9 }
      known.append(
        pond.pebble(
          name, .enabled(isEnabled), number % 4 == 0 ? .retry(.attempts(2)) : .traits(),
          number % 5 == 0 ? .exclusive("key") : .traits(), when: condition, body: body))
    }
  }
}

/// A reader of events that records impossible sequences as faults.
private struct Stories {
  private(set) var faults: [String] = []
  private(set) var endings: [String: String] = [:]

  private enum Stage {
    case ready
    case running(Int)
    case failed(Int)
  }

  private var stages: [String: Stage] = [:]

  /// The pebbles whose end had not been reported when a pebble that depends on them was reported as
  /// ready.
  private var awaited: [String] = []
  private var times: [String: Duration] = [:]
  private let operands: [String: [String]]

  init(_ events: [RunEvent], operands: [String: [String]]) {
    self.operands = operands
    for event in events { read(event) }
    if events.last?.kind != .runEnded { faults.append("there is no end") }
    // Only a skip may be told too late.
    faults += awaited.filter { endings[$0]?.hasPrefix("skipped") != true }
  }

  private mutating func read(_ event: RunEvent) {
    switch event.happening {
    case .ready(let name):
      expect(stages[name] == nil && endings[name] == nil, event)
      awaited += operands[name, default: []].filter { endings[$0] == nil }
      stages[name] = .ready
      keepTime(of: name, event)
    case .attemptStarted(let name, let attempt):
      switch stages[name] {
      case .ready: expect(attempt == 1, event)
      case .failed(let last): expect(attempt == last + 1, event)
      case .running, nil: expect(false, event)
      }
      stages[name] = .running(attempt)
      keepTime(of: name, event)
    case .attemptFailed(let name, let attempt, _):
      if case .running(attempt) = stages[name] {} else { expect(false, event) }
      stages[name] = .failed(attempt)
      keepTime(of: name, event)
    case .settled(let name, let outcome, _, let cause):
      expect(endings[name] == nil, event)
      if let cause { expect(endings[cause] != nil, event) }
      switch (stages[name], outcome) {
      case (.running, .succeeded), (.failed, .failed), (nil, .skipped), (.ready, .skipped): break
      case (nil, _), (.ready, _), (.running, _), (.failed, _): expect(false, event)
      }
      endings[name] = "\(outcome)"
      keepTime(of: name, event)
    case .runEnded: break
    case .serviceEnded, .stalled, .serviceRestarted, .shutdownBegan, .stopRequested,
      .teardownStarted, .teardownEnded, .shutdownEnded, .dropped:
      expect(false, event)
    }
  }

  private mutating func keepTime(of name: String, _ event: RunEvent) {
    expect(times[name, default: .zero] <= event.time, event)
    times[name] = event.time
  }

  private mutating func expect(_ isSo: Bool, _ event: RunEvent) {
    if !isSo { faults.append("\(event)") }
  }
}
