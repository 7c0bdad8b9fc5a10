import Pebbles
import PebblesAnalysis
import PebblesTesting
import Testing

@testable import TrackerCore

@Suite struct BootLogicTests {
  let boot = Boot(limits: Limits(), logger: quiet, around: untouched) { Settings() }

  /// Without these there is no server that could show anything.
  let fatal: Set = ["settings", "http"]

  /// Whenever there is a server.
  var oneScreen: Law {
    let (online, stale) = (boot.showing.online.completed, boot.showing.stale.completed)
    let offline = boot.showing.offline.completed
    return .implies(
      boot.http.succeeded,
      .any(
        online && !stale && !offline, stale && !online && !offline, offline && !online && !stale))
  }

  /// What is fatal is handled by nobody, on purpose.
  @Test func nothingElseIsWrongWithTheDefinition() throws {
    let findings = boot.pond.lint(also: [.unhandledFailure]).filter { $0.severity != .note }
    let others = findings.filter { finding in
      !fatal.contains { name in
        ["of \(name) if", "if \(name)"].contains { "\(finding)".contains($0) }
      }
    }
    #expect(others.isEmpty, "\(others)")
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
    let report = try await boot.pond.simulate(failing: names.map { PebbleID.named($0) })
    let screens = boot.showing.all.filter { report.ran($0) }
    if fatal.isDisjoint(with: names) {
      #expect(screens.count == 1, "\(names): \(report)")
    } else {
      #expect(report.isCancelled && report.exitCode == 1, "\(names): \(report)")
    }
  }

  @Test func aFailedLoadCostsFreshnessAndNothingElse() async throws {
    for lost in ["fetchLaunches", "fetchCores", "storeLaunches", "storeCores", "searchIndex"] {
      let report = try await boot.pond.simulate(failing: [.named(lost)])
      for pebble in [boot.showing.stale, boot.doors, boot.refresher] {
        try report.expectSucceeded(pebble)
      }
      #expect(report.exitCode == 0)
    }
  }

  @Test func withoutADatabaseTheServerStillSaysSo() async throws {
    let report = try await boot.pond.simulate(failing: [
      boot.opening.openDatabase, boot.opening.resetDatabase,
    ])
    try report.expectSucceeded(boot.http)
    try report.expectSucceeded(boot.showing.offline)
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
