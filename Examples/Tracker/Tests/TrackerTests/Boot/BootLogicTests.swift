import Pebbles
import PebblesAnalysis
import PebblesTesting
import Testing

@testable import TrackerCore

@Suite struct BootLogicTests {
  let boot = Boot(limits: Limits(), logger: quiet, around: untouched) { Settings() }

  /// Without these there is no server that could show anything.
  let fatal: Set = ["settings", "http"]

  var oneScreen: Law { .exactlyOne(of: boot.showing.all.map(\.completed)) }

  @Test func nothingIsWrongWithTheDefinition() throws {
    let findings = boot.pond.lint().filter { $0.severity != .note }
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test func exactlyOneScreenIsALaw() throws {
    let result = try boot.pond.scenarios().check(oneScreen)
    #expect(result.isKept, "\(result)")
  }

  /// The proof is about conditions; whom a failure cancels is tried.
  @Test func whateverFailsThereIsExactlyOneScreen() async throws {
    let names = try await boot.pond.simulate().records.map(\.name)
    for name in names { try await expectOneScreen(failing: [name]) }
  }

  @Test func whateverTwoFailThereIsExactlyOneScreen() async throws {
    let names = try await boot.pond.simulate().records.map(\.name)
    for (position, first) in names.enumerated() {
      for second in names[(position + 1)...] {
        try await expectOneScreen(failing: [first, second])
      }
    }
  }

  func expectOneScreen(failing names: [String]) async throws {
    let report = try await boot.pond.simulate(failing: names)
    let screens = boot.showing.all.filter { report.ran($0) }
    if fatal.isDisjoint(with: names) {
      #expect(screens.count == 1, "\(names): \(report)")
    } else {
      #expect(report.isCancelled && report.exitCode == 1, "\(names): \(report)")
    }
  }

  @Test func aFailedLoadCostsFreshnessAndNothingElse() async throws {
    for lost in [boot.loading.fetchLaunches.name, "fetchCores", "storeLaunches", "storeCores"] {
      let report = try await boot.pond.simulate(failing: [lost])
      try report.expectSucceeded(boot.showing.stale, boot.doors, boot.refresher)
      #expect(report.exitCode == 0)
    }
  }

  @Test func withoutADatabaseTheServerStillSaysSo() async throws {
    let report = try await boot.pond.simulate(failing: [
      boot.opening.openDatabase, boot.opening.resetDatabase,
    ])
    try report.expectSucceeded(boot.http, boot.showing.offline)
    try report.expectSkipped(boot.doors, becauseOf: boot.opening.openDatabase)
    #expect(report.exitCode == 0)
  }

  @Test func aFeedThatIsTooSlowIsTriedTwice() async throws {
    let report = try await boot.pond.simulate(
      taking: [boot.loading.fetchLaunches: .seconds(60)])
    try report.expectFailed(boot.loading.fetchLaunches, with: PebbleTimeout.self)
    #expect(report.record(of: boot.loading.fetchLaunches)?.attempts.count == 2)
    try report.expectSucceeded(boot.showing.stale)
  }

  @Test func visitorsHaveGoneBeforeTheDatabaseClosesAndTheServerIsLast() async throws {
    let report = try await boot.pond.simulate()
    let order = try #require(report.shutdown?.records.map(\.pebble))
    for (before, after) in [
      ("doors", "openDatabase"), ("refresher", "openDatabase"), ("doors", "http"),
      ("refresher", "feed"),
    ] {
      let first = try #require(order.firstIndex(of: before), "\(order)")
      let second = try #require(order.firstIndex(of: after), "\(order)")
      #expect(first < second, "\(order)")
    }
  }
}

/// Nothing around bodies.
@Sendable func untouched(
  _: PebbleContext, _ body: @Sendable () async throws -> Void
) async throws {
  try await body()
}
