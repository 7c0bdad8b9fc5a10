import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of the state that is shared by runs that resume each other.
@Suite(.watched) struct RunChainTests {
  private let pond = Pond("boot")

  @Test func onlyOneRunAtATimeIsResumed() async throws {
    pond.pebble("a") {}
    let run = try pond.start()
    _ = try await run.report
    let chain = RunChain(run.core, shutdownReason: nil)

    #expect(chain.resumptionBegins(of: run.core) == nil)
    #expect(chain.resumptionBegins(of: run.core) == "it is being resumed by another call")
    chain.resumptionEnds()
    #expect(chain.resumptionBegins(of: run.core) == nil)
    #expect(chain.add(run.core))
    #expect(chain.resumptionBegins(of: run.core) == nil)
  }

  /// Checks that a run can no longer be resumed once its shutdown is requested, even before the
  /// shutdown begins. The test intervenes when the shutdown reads the clock in between.
  @Test func aRunIsNotResumedFromWhenItsShutdownIsAskedForOn() async throws {
    pond.service("server") { ready in
      ready()
      await ready.stopRequested()
    }
    let clock = CallingClock()
    let run = try pond.start(clock: clock)
    _ = try await run.report
    let problems = Logbook<String>()

    let core = run.core
    clock.callOnce {
      do throws(PondError) {
        _ = try core.beginResumption()
      } catch {
        problems.note("\(error)")
      }
    }
    core.shutDown(.requested)

    #expect(problems.count == 1)
    #expect(problems.entries.first?.contains("it is being shut down; wait for its end") == true)
    try await run.shutdown().check()
  }
}

/// A clock that calls a closure when it is read.
private final class CallingClock: Clock {
  private let code = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets the closure to call the next time that the clock is read.
  func callOnce(_ code: @escaping @Sendable () -> Void) {
    self.code.withLock { $0 = code }
  }

  var now: ManualClock.Instant {
    code.withLock { $0.take() }?()
    return ManualClock.Instant(offset: .zero)
  }

  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await untilCancelled()
  }
}
