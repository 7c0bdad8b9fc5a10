import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct LabelTests {
  private let pond = Pond("labels")
  private let ping: Pebble<Void>
  private let cache: Pebble<Void>

  init() {
    ping = pond.pebble("ping") {}
    cache = pond.pebble("cache") {}
  }

  @Test func aLabelDoesNotChangeWhatAConditionMeans() async throws {
    let runs = pond.pebble("runs", when: (ping.succeeded && cache.succeeded).labeled("all well")) {}
    let isSkipped = pond.pebble("isSkipped", when: ping.failed.labeled("offline") && .always) {}

    let report = try await pond.run()

    #expect(report.outcome(of: runs).isSucceeded)
    #expect(report.outcome(of: isSkipped).isSkipped)
  }

  @Test func aSkipIsExplainedUnderTheLabel() async throws {
    cache.ready = ping.succeeded  // so that ping is the first to be wrong
    let offline = (ping.failed && cache.failed).labeled("offline with nothing cached")
    let screen = pond.pebble("screen", when: offline) {}

    let report = try await pond.run()

    #expect(
      report.record(of: screen)?.explanation
        == "screen was not needed: it needs \"offline with nothing cached\", "
        + "that is ping to fail, but ping succeeded")
  }

  @Test func aLabelOnOneSideOfAnOrIsNotTakenForTheWhole() async throws {
    let screen = pond.pebble("screen", when: ping.failed.labeled("offline") || cache.failed) {}

    let report = try await pond.run()

    #expect(
      report.record(of: screen)?.explanation
        == "screen was not needed: it needs ping to fail or cache to fail, "
        + "but ping succeeded and cache succeeded")
  }

  @Test func aNegatedLabelIsExplainedAsNegated() async throws {
    let screen = pond.pebble("screen", when: !ping.succeeded.labeled("online")) {}

    let report = try await pond.run()

    #expect(
      report.record(of: screen)?.explanation
        == "screen was not needed: it needs \"not online\", "
        + "that is ping to fail or be skipped, but ping succeeded")
  }

  @Test func anEmptyLabelIsALabelLikeAnyOther() async throws {
    let screen = pond.pebble("screen", when: ping.succeeded.labeled("")) {}

    let report = try await pond.run()

    #expect(screen.ready.description == "ping.succeeded.labeled(\"\")")
    #expect(report.outcome(of: screen).isSucceeded)
  }
}
