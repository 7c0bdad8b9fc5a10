import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of laws and conditions that are evaluated for a single run.
@Suite(.watched) struct ReportLawTests {
  private let pond = Pond("boot")
  private let ping: Pebble<Void>
  private let home: Pebble<Void>
  private let offline: Pebble<Void>

  init() {
    ping = pond.pebble("ping") {}
    home = pond.pebble("home", when: ping.succeeded) {}
    offline = pond.pebble("offline", when: ping.failed) {}
  }

  @Test func conditionsAreTrueOrFalseInTheEnd() async throws {
    let report = try await pond.simulate(failing: [ping])

    #expect(try report.holds(.always))
    #expect(try !report.holds(.never))
    #expect(try report.holds(ping.failed && home.skipped && offline.succeeded))
    #expect(try report.holds(!ping.succeeded || home.failed))
    #expect(try !report.holds((ping.settled && home.completed).labeled("no")))
    #expect(try report.holds(ping.completed) && report.holds(!home.completed))
  }

  @Test func lawsAreKeptOrNot() async throws {
    let report = try await pond.simulate()

    #expect(try report.keeps(.exactlyOne(of: home.succeeded, offline.succeeded)))
    #expect(try !report.keeps(.atMostOne(of: home.succeeded, ping.succeeded)))
    #expect(try report.keeps(.never(offline.completed)))
  }

  @Test func deepAndSharedConditionsAreNoTrouble() async throws {
    let report = try await pond.simulate()
    let screens = (0..<2_000).map { $0 == 7 ? home.succeeded : offline.succeeded }
    let deep = (0..<50_000).reduce(ping.succeeded) { condition, _ in !(!condition) && .always }

    #expect(try report.keeps(.exactlyOne(of: screens)))
    #expect(try report.holds(deep))
  }

  /// Checks that a condition is converted to text only for an error, because its text can be as
  /// long as a megabyte.
  @Test func aConditionIsPrintedOnlyInAnError() async throws {
    let report = try await pond.simulate()
    let late = pond.pebble("late") {}
    var count = 0
    func text() -> String {
      count += 1
      return "text"
    }

    let value = try report.storage.value(of: ping.completed && !home.failed, saidBy: text())
    #expect(value == true)
    #expect(count == 0)
    #expect(throws: UnknownPebbleError.self) {
      try report.storage.value(of: ping.completed && late.completed, saidBy: text())
    }
    #expect(count == 1)
  }

  @Test func pebblesOfOtherPondsAndLaterOnesAreErrors() async throws {
    let report = try await pond.simulate()
    let other = Pond("other").pebble("else") {}
    let late = pond.pebble("late") {}

    for pebble in [other, late] {
      #expect(throws: UnknownPebbleError.self) { try report.holds(pebble.succeeded) }
      #expect(throws: UnknownPebbleError.self) {
        try report.holds(ping.succeeded || pebble.succeeded)
      }
    }
  }
}
