import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that an observer of an event finds the reported change, even if it looks before the
/// publisher of the event continues.
@Suite(.watched) struct HastyObserverTests {
  @Test func whoIsToldOfTheEndOfAServiceFindsItInTheReport() async throws {
    let executor = HastyExecutor()
    let (pond, dies) = (Pond("boot"), Gate())
    let server = pond.service("server", .ending(.ignore)) { ready in
      ready()
      await dies.passed()
      throw Breakdown()
    }
    let run = try RunOptions.$currentExecutor.withValue(executor) { try pond.start() }
    let report = try await run.report
    let found = Logbook<Bool>()
    let observer = Task(executorPreference: executor) {
      for await event in run.events where event.kind == .serviceEnded {
        found.note(report.record(of: server)?.serviceEnd != nil)
      }
    }

    dies.open()
    await observer.value

    #expect(found.entries == [true])
  }
}
