import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the convenience queries of a report.
@Suite(.watched) struct ReadingTests {
  private let pond = Pond("boot")
  private let load: Pebble<Int>
  private let ping: Pebble<String>
  private let show: Pebble<[Int]>
  private let stranger = Pond("other").pebble("load") { 8 }

  init() {
    load = pond.pebble("load") { 7 }
    ping = pond.pebble("ping") { throw Breakdown("no network") }
    show = pond.pebble("show", when: ping.succeeded) { [1] }
  }

  @Test func handlesAndNamesAreAskedAlike() async throws {
    let report = try await pond.run()

    #expect(report.ran(load) && report.ran(ping) && !report.ran(show))
    #expect(report.succeeded(load) && !report.succeeded(ping) && !report.succeeded(show))
    #expect(report.failed(ping) && !report.failed(load) && !report.failed(show))
    #expect(report.skipped(show) && !report.skipped(load) && !report.skipped(ping))
    #expect(report.ran(.named("ping")) && !report.ran(.named("show")))
    #expect(report.record(of: .named("ping"))?.outcome.isFailed == true)
    #expect(report.outcome(of: .named("load")).isSucceeded)
    #expect(report.record(of: show.pebbleID)?.name == "show")
  }

  @Test func onlyWhatSucceededHasAnOutputEvenIfItIsNone() async throws {
    let done = pond.pebble("done") {}
    let failed = pond.pebble("failed") { throw Breakdown() }
    let skipped = pond.pebble("skipped", when: failed.succeeded) {}

    let report = try await pond.run()

    #expect(report[done] != nil)
    #expect(report[failed] == nil && report[skipped] == nil)
    #expect(report[load] == 7 && report[ping] == nil)
  }

  @Test func failuresComeInDefinitionOrder() async throws {
    let last = pond.pebble("last", when: ping.failed) { throw Breakdown() }

    let report = try await pond.run()

    #expect(report.failures.map(\.name) == ["ping", last.name])
    #expect(report.unhandledFailures.map(\.name) == ["last"])
    #expect(!report.isAllSucceeded)
  }

  @Test func allHaveSucceededIfNoneFailedOrWasSkipped() async throws {
    let (good, skipping) = (Pond("good"), Pond("skipping"))
    good.pebble("a") {}
    skipping.pebble("a", when: .never) {}

    #expect(try await good.run().isAllSucceeded)
    #expect(try await Pond("empty").run().isAllSucceeded)
    #expect(try await !skipping.run().isAllSucceeded)
    #expect(try await good.run().failures.isEmpty)
  }

  @Test func aValueIsThereIfThePebbleSucceeded() async throws {
    let nothing = pond.pebble("nothing") {}
    let none = pond.pebble("none") { Int?.none }

    let report = try await pond.run()

    #expect(try report.value(of: load) == 7)
    #expect(try report.value(of: none) == nil)
    try report.value(of: nothing)
  }

  @Test func whatIsMissingSaysWhy() async throws {
    let report = try await pond.run()

    #expect(throws: Breakdown("no network")) { try report.value(of: ping) }
    let error = #expect(throws: MissingValueError.self) { try report.value(of: show) }
    #expect(error?.pebble == "show")
    #expect(error?.skipReason == .conditionFalse(decidedBy: "ping"))
    #expect(error?.description == report.record(of: show)?.explanation)
    #expect(
      error?.description == "show was blocked: it needs ping to succeed, but ping failed")
  }

  @Test func aPebbleThatIsNotThereIsTreatedAlikeEverywhere() async throws {
    let report = try await pond.run()
    let late = pond.pebble("late") { 9 }

    for pebble in [stranger.pebbleID, late.pebbleID, .named("lo ad"), .named("")] {
      #expect(report.record(of: pebble) == nil)
      #expect(report.outcome(of: pebble).skipReason == .notInRun)
      #expect(!report.ran(pebble) && !report.succeeded(pebble))
      #expect(!report.failed(pebble) && !report.skipped(pebble))
    }
    for (pebble, sentence) in [
      (stranger, "\"load\" is a pebble of the pond \"other\", not of this one"),
      (late, "\"late\" was added to the pond later"),
    ] {
      #expect(report[pebble] == nil)
      let error = #expect(throws: UnknownPebbleError.self) { try report.value(of: pebble) }
      #expect(error?.name == pebble.name)
      #expect(error?.description == sentence)
    }
  }
}
