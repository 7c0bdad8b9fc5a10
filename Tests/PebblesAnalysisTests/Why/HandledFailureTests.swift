import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Which pebbles handled a failure, through others that were skipped because of it.
@Suite struct HandledFailureTests {
  private let pond = Pond("boot")

  /// `cache` reads the failure of `ping`, and `direct` reads that of `cache`.
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

  /// It would have been skipped in any case.
  @Test func aPebbleThatWasDisabledHandsNoFailureOn() throws {
    let run = try pond.simulated {
      $0.failures = [0: "no route"]
      $0.disabled = [1]
    }

    #expect(try run.handledFailures == [HandledFailure(position: 0, handlers: [2])])
  }
}
