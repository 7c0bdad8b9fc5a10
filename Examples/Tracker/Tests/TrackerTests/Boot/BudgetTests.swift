import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTesting
import Testing

@testable import TrackerCore

/// How long the boot may take, beside one that was recorded.
///
/// `RECORD_BOOT=1 swift test --filter BudgetTests` records it anew.
@Suite(.serialized) struct BudgetTests {
  static let baseline = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("boot-baseline.json")

  @Test func theBootKeepsItsBudget() async throws {
    let folder = try Folder()
    var settings = Settings()
    settings.port = 0
    settings.database = folder.file("tracker.sqlite")
    settings.people = 100
    let boot = Boot(limits: Limits(), logger: quiet) { [settings] in settings }
    let run = try boot.pond.start()
    let report = try await run.report
    try await run.shutdown(deadline: .seconds(30)).check()
    for pebble in [boot.showing.online, boot.doors, boot.refresher] {
      try report.expectSucceeded(pebble)
    }

    if ProcessInfo.processInfo.environment["RECORD_BOOT"] != nil {
      try Data(report.recorded().json().utf8).write(to: Self.baseline)
    }
    let recorded = try RecordedRun(json: String(contentsOf: Self.baseline, encoding: .utf8))
    #expect(report.records.map(\.name) == recorded.pebbles.map(\.name))
    // Machines differ, and this one may be busy: what is found is a boot of another order.
    try Budget(
      .makespan(atMost: 50, timesThatOf: recorded),
      .pebble(boot.opening.migrate, atMost: .seconds(5)),
      .pebble(boot.loading.storeLaunches, atMost: .seconds(5))
    ).check(report)
  }
}
