import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

@Suite(.watched) struct SimulationLifetimeTests {
  @Test func aSimulationWithFailuresKeepsNothingOfItsPond() async throws {
    weak var seen: Captured?
    do {
      let (pond, captured) = (Pond("pond"), Captured())
      seen = captured
      let ping = pond.pebble("ping") {}
      pond.pebble("show", when: ping.failed) { _ = captured.isThere }

      let report = try await pond.simulate(failing: [ping], taking: [ping: .seconds(1)])
      #expect(report.outcome(of: ping).isFailed)
    }

    // The task of the last runner may have some more steps to go.
    try await until { seen == nil }
  }
}
