import Pebbles
import PebblesAnalysis
import PebblesTesting
import Testing

@testable import TrackerCore

@Suite struct BootLogicTests {
  let boot = Boot(limits: Limits(), logger: quiet, around: untouched) { Settings() }

  /// The pebbles whose failure ends the boot. Without the first two, there is no server. Without
  /// the others, visitors cannot see the site, or only for a short time.
  let fatal = ["settings", "http", "doors", "refresher", "people", "notice"]

  /// The law that there is exactly one screen whenever there is a server and no failure ends the
  /// boot.
  var oneScreen: Law {
    let (online, stale) = (boot.showing.online.completed, boot.showing.stale.completed)
    let offline = boot.showing.offline.completed
    return .implies(
      boot.http.succeeded
        && !.any(boot.doors.failed, boot.refresher.failed, boot.people.failed, boot.notice.failed),
      .any(
        online && !stale && !offline, stale && !online && !offline, offline && !online && !stale))
  }

  /// Checks that the only findings are the unhandled failures of the fatal pebbles, which are
  /// intended.
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

  /// Checks the failure of each pebble by simulation, because the proof covers only conditions, and
  /// not the pebbles that a failure cancels.
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

  /// Checks another failure in addition to a damaged database, such as a failure to replace the
  /// damaged file.
  @Test func whateverElseFailsWithADamagedDatabaseThereIsExactlyOneScreen() async throws {
    let damaged = Assumption.fails(boot.opening.openDatabase, as: boot.opening.isDamaged)
    let names = try await boot.pond.simulate().records.map(\.name)
    for name in names where name != "openDatabase" {
      try await expectOneScreen(failing: [name], given: [damaged])
    }
  }

  func expectOneScreen(
    failing names: [String], given assumptions: [Assumption] = []
  ) async throws {
    let report = try await boot.pond.simulate(
      failing: names.map { PebbleID.named($0) }, given: assumptions)
    let screens = boot.showing.all.filter { report.ran($0) }
    let isFatal = fatal.contains { report.outcome(of: .named($0)).isFailed }
    if !isFatal {
      #expect(screens.count == 1, "\(names): \(report)")
      let isShown = screens.allSatisfy { report.succeeded($0) }
      #expect(report.isGoalReached == isShown, "\(names): \(report)")
    } else {
      #expect(report.exitCode == 1, "\(names): \(report)")
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

  /// Checks two ways to end up without a database. Either it is damaged and cannot be replaced, or
  /// it cannot be opened and is not replaced.
  @Test(arguments: [false, true])
  func withoutADatabaseTheServerStillSaysSo(isDamaged: Bool) async throws {
    let opening = boot.opening
    let report = try await boot.pond.simulate(
      failing: isDamaged ? [opening.openDatabase, opening.resetDatabase] : [opening.openDatabase],
      given: isDamaged ? [.fails(opening.openDatabase, as: opening.isDamaged)] : [])
    try report.expectSucceeded(boot.http)
    try report.expectSucceeded(boot.showing.offline)
    try report.expectSkipped(boot.doors, becauseOf: opening.openDatabase)
    #expect(report.ran(opening.resetDatabase) == isDamaged)
    #expect(report.exitCode == 0)
  }

  @Test func aDamagedDatabaseIsReplacedAndNothingIsMissed() async throws {
    let report = try await boot.pond.simulate(given: [
      .fails(boot.opening.openDatabase, as: boot.opening.isDamaged)
    ])
    for pebble in [boot.showing.online, boot.doors] { try report.expectSucceeded(pebble) }
    #expect(report.exitCode == 0)
  }

  /// Checks that the goal is missed without a server, because then nobody can see a screen.
  @Test func withoutAServerTheGoalIsMissed() async throws {
    let report = try await boot.pond.simulate(failing: [boot.http])

    #expect(report.isGoalReached == false)
    #expect(report.missedGoal?.hasPrefix("the goal was not reached: ") == true)
  }

  @Test func aFeedThatIsTooSlowIsTriedTwice() async throws {
    let report = try await boot.pond.simulate(
      taking: [boot.loading.fetchLaunches: .seconds(60)])
    try report.expectFailed(boot.loading.fetchLaunches, with: PebbleTimeout.self)
    #expect(report.record(of: boot.loading.fetchLaunches)?.attempts.count == 2)
    try report.expectSucceeded(boot.showing.stale)
  }

  @Test func visitorsHaveGoneBeforeTheDatabaseClosesAndTheServerStops() async throws {
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

/// Calls a body without running any code around it.
@Sendable func untouched(
  _: PebbleContext, _ body: @Sendable () async throws -> Void
) async throws {
  try await body()
}
