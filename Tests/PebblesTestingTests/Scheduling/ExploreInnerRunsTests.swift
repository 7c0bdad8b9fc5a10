import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of runs inside other runs that are shut down, in many schedules.
@Suite(.watched) struct ExploreInnerRunsTests {
  private static let schedules = Schedules.random(count: Thoroughness.times(100), seed: 4)

  /// Checks that a run inside a failed body cannot wait for the run around it. The pebble holds its
  /// resource until the inner run is shut down, and another pebble of the outer run waits for the
  /// same resource.
  @Test func whatAFailedBodyHasStartedMayNotWaitForTheRunAround() async throws {
    try await explore(schedules: Self.schedules) { clock in
      let (pond, inner) = (Pond("boot"), Pond("inner"))
      let (runs, waits) = (Logbook<Run>(), Gate())
      inner.pebble("inside") {
        waits.open()
        _ = try await runs.entries.first?.report
      }
      let fails = pond.pebble("fails", .exclusive("database"), .timeout(.seconds(1_000))) {
        _ = try inner.start(clock: clock)
        await waits.passed()
        throw Breakdown()
      }
      let next = pond.pebble("next", .exclusive("database")) {}
      let run = try pond.start(clock: clock)
      runs.note(run)

      let report = try await run.report

      #expect(report.failed(fails) && report.succeeded(next))
    }
  }

  @Test func oneThatIsNotShutDownInTimeIsAFailureOfItsPebble() async throws {
    try await explore(schedules: Self.schedules) { clock in
      let (pond, inner) = (Pond("boot"), Pond("inner"))
      let mayEnd = Gate()
      inner.pebble("held", teardown: { await mayEnd.passed() }) {}
      pond.pebble("runs") {
        let inside = try inner.start(clock: clock)
        _ = try await inside.report
        return inside
      }
      let run = try pond.start(clock: clock)
      _ = try await run.report

      let shutdown = try await run.shutdown(within: .seconds(5))
      mayEnd.open()

      #expect(shutdown.failures.map(\.pebble) == ["runs"])
    }
  }
}
