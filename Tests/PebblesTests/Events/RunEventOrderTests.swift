import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the order of all events of a run.
@Suite(.watched) struct RunEventOrderTests {
  private let pond = Pond("told")

  /// A way to define a pebble. The events of the pebble must not depend on it.
  enum Kind: CaseIterable {
    case plain, callback, timeout, retry, exclusive, uses, priority, blocking, enabled

    @discardableResult
    func add(
      _ name: String, to pond: Pond, when condition: Condition = .always, fails: Bool = false
    ) -> Pebble<Void> {
      let body: @Sendable () async throws -> Void = { if fails { throw Breakdown() } }
      return switch self {
      case .plain: pond.pebble(name, when: condition, body: body)
      case .callback:
        pond.pebble(name, when: condition) { (complete: Completion) in
          fails ? complete.fail(Breakdown()) : complete(true)
        }
      case .timeout: pond.pebble(name, .timeout(.seconds(9)), when: condition, body: body)
      case .retry: pond.pebble(name, .retry(.attempts(1)), when: condition, body: body)
      case .exclusive: pond.pebble(name, .exclusive("key"), when: condition, body: body)
      case .uses:
        pond.pebble(name, .uses("c", 2, of: 2), when: condition) {
          try await body()
        }
      case .priority: pond.pebble(name, .priority(3), when: condition, body: body)
      case .blocking: pond.pebble(name, .blocking, when: condition, body: body)
      case .enabled: pond.pebble(name, .enabled { true }, when: condition, body: body)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func aPebbleIsReadyStartsAndSettles(kind: Kind) async throws {
    let first = kind.add("first", to: pond)
    kind.add("second", to: pond, when: first.succeeded)

    #expect(
      try await told() == [
        "first is ready", "first started attempt 1", "first succeeded",
        "second is ready", "second started attempt 1",
        "second succeeded, having started when first settled", "the run ended",
      ])
  }

  @Test(arguments: Kind.allCases)
  func aFailureIsToldOfTheAttemptAndOfThePebble(kind: Kind) async throws {
    let first = kind.add("first", to: pond, fails: true)
    kind.add("second", to: pond, when: first.succeeded)

    #expect(
      try await told() == [
        "first is ready", "first started attempt 1", "first failed attempt 1: it broke down",
        "first failed: it broke down",
        "second was skipped: its condition became false when first settled", "the run ended",
      ])
  }

  @Test func everyAttemptIsTold() async throws {
    pond.pebble("flaky", .retry(.attempts(4))) {
      if PebbleContext.current?.attempt != 3 { throw Breakdown() }
    }

    #expect(
      try await told() == [
        "flaky is ready",
        "flaky started attempt 1", "flaky failed attempt 1: it broke down",
        "flaky started attempt 2", "flaky failed attempt 2: it broke down",
        "flaky started attempt 3", "flaky succeeded", "the run ended",
      ])
  }

  @Test func aTimeoutIsAFailedAttempt() async throws {
    let clock = AlarmClock()
    pond.pebble("slow", .timeout(.seconds(2))) { try await untilCancelled() }

    let run = try pond.start(clock: clock, eventHistory: 100)
    await clock.asleep(1)
    clock.advance(by: .seconds(2))

    #expect(
      await run.events.sentences() == [
        "slow is ready", "slow started attempt 1",
        "slow failed attempt 1: it did not end within 2.0 seconds",
        "slow failed: it did not end within 2.0 seconds", "the run ended",
      ])
  }

  @Test func whatIsDecidedFromTheStartIsToldFirst() async throws {
    let off = pond.pebble("off", .enabled { false }) {}
    pond.pebble("never", when: .never) {}
    pond.pebble("instead", when: off.skipped) {}
    let events = try await told()

    #expect(
      Set(events.prefix(3)) == [
        "off was skipped: it was disabled for this run",
        "never was skipped: its condition is false from the start", "instead is ready",
      ])
    #expect(
      events.dropFirst(3) == [
        "instead started attempt 1", "instead succeeded, having started when off settled",
        "the run ended",
      ])
  }

  @Test func skipsTravelInOrder() async throws {
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.failed) {}
    let third = pond.pebble("third", when: second.completed) {}
    pond.pebble("fourth", when: third.skipped) {}

    #expect(
      try await told().dropFirst(2) == [
        "first succeeded",
        "second was skipped: its condition became false when first settled",
        "third was skipped: its condition became false when second settled",
        "fourth is ready", "fourth started attempt 1",
        "fourth succeeded, having started when third settled", "the run ended",
      ])
  }

  @Test func aStallIsToldBeforeWhatComesOfIt() async throws {
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    first.ready = second.succeeded
    pond.pebble("third", when: first.skipped) {}

    let events = try await told()

    #expect(
      [
        "nothing runs and nothing is ready: first, second cannot start",
        "nothing runs and nothing is ready: second, first cannot start",
      ].contains(events.first))
    #expect(
      Set(events.dropFirst().prefix(2)) == [
        "first was skipped: it waits for second, and that waits for it in turn",
        "second was skipped: it waits for first, and that waits for it in turn",
      ])
    #expect(
      events.dropFirst(3) == [
        "third is ready", "third started attempt 1",
        "third succeeded, having started when first settled", "the run ended",
      ])
  }

  @Test func cancellationIsToldOfAllAndAtTheEnd() async throws {
    let started = Gate()
    let first = pond.pebble("first") {
      started.open()
      try await untilCancelled()
    }
    pond.pebble("second", when: first.settled) {}

    let run = try pond.start(clock: ManualClock(), eventHistory: 100)
    await started.passed()
    run.cancel()

    #expect(
      await run.events.sentences() == [
        "first is ready", "first started attempt 1",
        "first failed attempt 1: CancellationError()", "first failed: CancellationError()",
        "second is ready", "second was skipped: the run was cancelled before it could start",
        "the run ended, cancelled",
      ])
  }

  @Test func whatIsGivenIsToldBeforeItsConsequences() async throws {
    let size = pond.given("size", default: 20)
    let isLarge = size.succeeded("large") { $0 > 10 }
    pond.pebble("small", when: !isLarge) {}
    pond.pebble("large", when: isLarge) {}

    let told = try await told()

    #expect(
      told == [
        "size succeeded as large",
        "small was skipped: its condition became false when size settled",
        "large is ready", "large started attempt 1",
        "large succeeded, having started when size settled", "the run ended",
      ])
  }

  @Test func eventsHaveTheTimesOfTheRecord() async throws {
    let clock = ManualClock()
    let first = pond.pebble("first") { clock.advance(by: .seconds(2)) }
    pond.pebble("second", when: first.succeeded) { clock.advance(by: .seconds(3)) }

    let run = try pond.start(clock: clock, eventHistory: 100)
    var times: [Duration] = []
    for await event in run.events { times.append(event.time) }

    #expect(times == [0, 0, 2, 2, 2, 5, 5].map { .seconds($0) })
  }

  private func told() async throws -> [String] {
    try await pond.start(clock: ManualClock(), eventHistory: 1_000).events.sentences()
  }
}

extension RunEvents {
  /// Returns all events of one iteration as sentences, without their times.
  func sentences() async -> [String] {
    var sentences: [String] = []
    for await event in self { sentences.append(event.sentence) }
    return sentences
  }
}
