import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the pebbles that handled a failure through others that were skipped because of it.
@Suite struct HandledFailureTests {
  private let pond = Pond("boot")

  /// Creates the tests with a pond in which `cache` needs the success of `ping`, `offline` reads
  /// the failure of `ping`, and `direct` reads the skip of `cache`.
  private init() {
    let ping = pond.pebble("ping") {}
    let cache = pond.pebble("cache", .enabled { true }, when: ping.succeeded) {}
    pond.pebble("offline", when: ping.failed) {}
    pond.pebble("direct", when: cache.skipped) {}
  }

  @Test func aPebbleThatAFailureBlockedHandsItOn() throws {
    let run = try pond.simulated { $0.failures = [0: "no route"] }

    #expect(try run.handledFailures == [HandledFailure(position: 0, handlers: [2, 3])])
  }

  /// Checks that a disabled pebble does not pass on a failure, because it would have been skipped
  /// in any case.
  @Test func aPebbleThatWasDisabledHandsNoFailureOn() throws {
    let run = try pond.simulated {
      $0.failures = [0: "no route"]
      $0.disabled = [1]
    }

    #expect(try run.handledFailures == [HandledFailure(position: 0, handlers: [2])])
  }

  @Test func aFailureThatTheCancellationCausedIsNotOneToHandle() throws {
    let failed = try pond.simulated {
      $0.failures = [0: "interrupted"]
      $0.cancelled = [1, 2, 3]
    }
    func run(wasCancelled: Bool) throws -> RecordedRun {
      let ping = RecordedPebble(
        name: "ping", outcome: .failed("interrupted"), ready: .zero, started: .zero,
        finished: .zero, wasCancelled: wasCancelled)
      return try RecordedRun(
        model: pond.model(), pebbles: [ping] + failed.pebbles.dropFirst(), makespan: .zero,
        cancellation: RecordedCancellation("it was asked to end", isOrderly: true))
    }

    #expect(try run(wasCancelled: true).handledFailures == [])
    #expect(try run(wasCancelled: true).unhandledFailures.isEmpty)
    #expect(try run(wasCancelled: false).unhandledFailures.map(\.name) == ["ping"])
  }

  @Test func aServiceThatIsDownInsideOfAPebbleIsAFailureOfThePebble() throws {
    let pond = Pond("app")
    pond.pebble("starts") {}
    let starts = RecordedPebble(
      name: "starts", outcome: .succeeded, ready: .zero, started: .zero, finished: .zero,
      servicesDownInside: ["listener inside it ended without having been asked to"])

    let run = try RecordedRun(model: pond.model(), pebbles: [starts], makespan: .zero)

    #expect(try run.unhandledFailures.map(\.name) == ["starts"])
    #expect(try run.exitCode == 1)
  }
}
