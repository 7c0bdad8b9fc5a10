import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the texts that the page shows about a restarted service.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct ServiceTextTests {
  @Test(arguments: [(9, "stopped at 12 ns until 12"), (20, "still up until 30")])
  func aServiceHasEndedUnlessItWasCalledAgainSince(calledAgain: Int, said: String) throws {
    let text = try JavaScript.result(
      of: """
        const run = new Run({
          pond: { pebbles: [{ name: 'web', service: true }], conditions: [] }, makespan: 30,
          pebbles: [{ name: 'web', outcome: 'succeeded', ready: 0, started: 0, finished: 5,
            service: { end: { time: 12, asked: true },
              restarts: [{ time: \(calledAgain), attempt: 2 }] } }] });
        return `${run.serviceText(0)} until ${run.until(0)}`;
        """)

    #expect(text == "ready after 5 ns, started again once, \(said)")
  }

  /// Checks that the time at which a kept service ended is not told, as it is one of another run.
  @Test(arguments: [("asked", "stopped"), ("down", "down")])
  func noTimeIsToldOfTheEndOfAKeptService(end: String, said: String) throws {
    let text = try JavaScript.result(
      of: """
        const run = new Run({
          pond: { pebbles: [{ name: 'web', service: true }], conditions: [] }, makespan: 30,
          pebbles: [{ name: 'web', outcome: 'succeeded', ready: 0, started: 0, finished: 0,
            kept: '4f1c', service: { end: { time: 12, asked: \(end == "asked") },
              down: \(end == "down") } }] });
        return `${run.serviceText(0)} until ${run.until(0)}`;
        """)

    #expect(text == "kept from run 4f1c, \(said) until 30")
  }
}
