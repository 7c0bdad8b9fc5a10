import Foundation
import Logging
import Pebbles
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for retries while the open database is lost or damaged.
@Suite struct RetryTests {
  let folder: Folder
  let records = LogRecords()
  var path: String { folder.file("tracker.sqlite") }

  init() throws {
    folder = try Folder()
    // What is still in the log of SQLite as well is not missed in the file.
    let database = try TrackerDatabase.open(at: folder.file("tracker.sqlite"))
    try database.migrate()
    try database.close()
  }

  /// Calls a closure with a boot that is offline because the feed's answer was invalid. The feed
  /// has since recovered.
  func offline(
    _ test: @escaping @Sendable (Boot, Run) async throws -> Void
  ) async throws {
    let launches = Feed([]) { $0 <= 2 ? .status(500) : .body(LaunchFeed.launches(1...20)) }
    let cores = Feed([]) { _ in .body(LaunchFeed.cores(1...5)) }
    try await FeedServer.using(["/v4/launches": launches, "/v4/cores": cores]) { server in
      var settings = Settings()
      (settings.port, settings.people, settings.database) = (0, 10, path)
      settings.feed = server.url
      settings.refreshEvery = .seconds(86_400)
      settings.retryAfter = .seconds(86_400)
      let boot = Boot(limits: .patient, logger: records.logger, around: untouched) { [settings] in
        settings
      }
      let run = try boot.pond.start()
      _ = try await run.report
      #expect(boot.site.screen.name == "offline")
      try await test(boot, run)
      _ = try await (boot.retries.run ?? run).shutdown()
    }
  }

  /// Waits for the record that is logged after a retry, and returns it.
  func told(by boot: Boot) async -> LogRecords.Record? {
    while true {
      if let record = records.all.first(where: { $0.message.hasPrefix("tried again: ") }) {
        return record
      }
      await Task.yield()
    }
  }

  @Test func aRetryMissesADatabaseThatIsGone() async throws {
    try await offline { boot, run in
      try FileManager.default.removeItem(atPath: path)

      #expect(await boot.retries.retry(run) == .underWay)

      let told = await told(by: boot)
      let loss = "the database \(path) is gone; start again to read what is there now"
      #expect(told?.message == "tried again: offline: \(loss)")
      #expect(told?.level == .warning)
      #expect(!boot.site.isReady)
    }
  }

  @Test func aRetrySaysWhatToDoAboutADatabaseThatIsOverwritten() async throws {
    try await offline { boot, run in
      let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.write(contentsOf: Data(repeating: 7, count: size))
      try file.close()

      #expect(await boot.retries.retry(run) == .underWay)

      let message = await told(by: boot)?.message ?? ""
      #expect(message.hasPrefix("tried again: offline: the database \(path) is damaged: "))
      #expect(message.hasSuffix("put it back into that file, or start again to begin anew"))
    }
  }

  @Test func aRetryThatHelpsIsNoWarning() async throws {
    try await offline { boot, run in
      #expect(await boot.retries.retry(run) == .underWay)

      let told = await told(by: boot)
      #expect(told?.message == "tried again: online" && told?.level == .notice)
    }
  }

  /// Checks that a retry after a refresh refreshes again. The boot's run cannot be resumed instead,
  /// because it does not contain the losses that the refresh has found.
  @Test func afterARefreshItIsAnotherOneThatIsTried() async throws {
    try await offline { boot, run in
      boot.site.wish(for: .refresh)
      while boot.site.screen != .online { await Task.yield() }
      try FileManager.default.removeItem(atPath: path)
      boot.site.wish(for: .check)
      while boot.site.screen == .online { await Task.yield() }

      #expect(await boot.retries.retry(run) == .refreshing)
      let lost = boot.site.screen
      #expect("\(lost)".contains("is gone"))
      while records.all.count(where: { $0.message == "\(lost)" }) < 2 { await Task.yield() }
      #expect("\(boot.site.screen)" == "\(lost)" && !boot.site.isReady)
    }
  }
}
