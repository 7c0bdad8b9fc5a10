import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTesting
import Testing

@testable import TrackerCore

/// Tests that compare the boot with a recorded one, and check that it stays within its budget.
///
/// `RECORD_BOOT=1 swift test --filter BudgetTests` records the boot again.
@Suite(.serialized) struct BudgetTests {
  static let baseline = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("boot-baseline.json")

  @Test func theBootIsTheOneThatWasRecorded() async throws {
    let folder = try Folder()
    var settings = Settings()
    settings.port = 0
    settings.database = folder.file("tracker.sqlite")
    settings.people = 100
    let boot = Boot(limits: .patient, logger: quiet) { [settings] in settings }
    let run = try boot.pond.start()
    let report = try await run.report
    try await run.shutdown().check()
    for pebble in [boot.showing.online, boot.doors, boot.refresher, boot.people] {
      try report.expectSucceeded(pebble)
    }

    if ProcessInfo.processInfo.environment["RECORD_BOOT"] != nil {
      try Data(report.recorded().json().utf8).write(to: Self.baseline)
    }
    let recorded = try Self.recorded()
    #expect(report.records.map(\.name) == recorded.pebbles.map(\.name))
  }

  static func recorded() throws -> RecordedRun {
    try RecordedRun(json: String(contentsOf: baseline, encoding: .utf8))
  }

  /// Simulates the boot with the recorded durations of its pebbles, because machines differ and
  /// this one may be busy. The budget is exceeded if the pebbles run in a slower order.
  @Test func theBootKeepsItsBudget() async throws {
    let recorded = try Self.recorded()
    let boot = Boot(limits: Limits(), logger: quiet, around: untouched) { Settings() }
    func took(_ name: String) throws -> Duration {
      let pebble = try #require(recorded.pebbles.first { $0.name == name })
      return try pebble.finished - #require(pebble.started)
    }
    let report = try await boot.pond.simulate(taking: [
      boot.settings: took("settings"), boot.http: took("http"), boot.feed: took("feed"),
      boot.opening.openDatabase: took("openDatabase"), boot.opening.migrate: took("migrate"),
      boot.loading.fetchLaunches: took("fetchLaunches"),
      boot.loading.fetchCores: took("fetchCores"),
      boot.loading.storeLaunches: took("storeLaunches"),
      boot.loading.storeCores: took("storeCores"),
      boot.loading.searchIndex: took("searchIndex"), boot.showing.look: took("look"),
      boot.doors: took("doors"), boot.refresher: took("refresher"), boot.people: took("people"),
      boot.notice: took("notice"),
    ])

    try Budget(
      .makespan(atMost: 1, timesThatOf: recorded),
      .pebble(boot.opening.migrate, atMost: .seconds(5)),
      .pebble(boot.loading.storeLaunches, atMost: .seconds(5))
    ).check(report)
  }
}
