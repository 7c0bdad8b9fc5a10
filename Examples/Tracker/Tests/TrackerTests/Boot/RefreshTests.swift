import AsyncHTTPClient
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import Pebbles
import PebblesAnalysis
import PebblesTesting
import SitePages
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for refreshes, and for requests for refreshes, if something has changed since the boot.
@Suite struct RefreshTests {
  let folder: Folder
  let site = Site()
  let database: TrackerDatabase

  init() throws {
    folder = try Folder()
    database = try TrackerDatabase.open(at: folder.file("tracker.sqlite"))
    try database.migrate()
    try database.save([DatabaseTests.launch("1")])
    try database.checkpoint()
    site.show(.online)
  }

  func refresh(
    _ address: String, logger: Logger = quiet, around: @escaping Around = untouched
  ) -> Refresh {
    Refresh(FeedClient(.shared, base: address), database, .patient, site, around, logger)
  }

  @Test func aFeedThatIsGoneMakesItStaleAndSaysSince() async throws {
    let records = LogRecords()
    try await LaunchFeed(launches: .status(.badGateway)).serve { address in
      try await refresh(address, logger: records.logger).run()
    }

    let loss = try #require(site.screen.loss)
    #expect(site.isOpen == false && site.screen.name == "stale")
    #expect(loss.pebbles == ["fetchLaunches", "storeLaunches", "stale"])
    #expect(loss.cause.hasSuffix("answered 502 Bad Gateway") && loss.launchesOf != nil)
    #expect(records.all.map(\.message) == ["\(site.screen)"])
    try database.close()
  }

  /// Checks that, if a refresh failed after a successful boot, the loss links to the refresh's page
  /// rather than the boot's.
  @Test func whatHappenedIsOnThePageOfTheRefresh() async throws {
    let boot = try Pond("tracker").start()
    _ = try await boot.report
    let door = try FrontDoor(boot, Retries(site, quiet), site, SiteLayout())
    let site = site
    try await LaunchFeed(launches: .text("<html>")).serve { address in
      let refresh = refresh(address)
      try await Application(responder: door, logger: quiet).test(.router) { client in
        let early = try await client.execute(
          uri: Refresh.page, method: .get, headers: [.accept: "text/html"])
        #expect(early.status == .notFound)
        let sentence = "Nothing has been loaded again since the boot."
        #expect(String(buffer: early.body).contains(sentence))

        try await refresh.run()

        #expect(site.screen.loss?.address == "/boot/refresh#pebble=fetchLaunches")
        let page = try await client.execute(uri: Refresh.page, method: .get)
        #expect(String(buffer: page.body).contains(#"<a href="/boot" aria-current="page">"#))
        let json = try await client.execute(uri: "\(Refresh.page).json", method: .get)
        for run in [
          try #require(try PondDocument(page.body.readableBytesView).run),
          try RecordedRun(json: String(buffer: json.body)),
        ] {
          let fetch = try #require(run.pebbles.first { $0.name == "fetchLaunches" })
          #expect(fetch.outcome.isFailed, "\(fetch)")
          #expect(run.origin?.started != nil)
        }
      }
    }
    try database.close()
  }

  @Test func aDatabaseThatIsDamagedIsOfflineUntilItIsPutBack() async throws {
    let file = URL(fileURLWithPath: folder.file("tracker.sqlite"))
    let whole = try Data(contentsOf: file)
    try await LaunchFeed().serve { address in
      let refresh = refresh(address)
      try Data(repeating: 7, count: whole.count).write(to: file)
      try await refresh.run()
      #expect("\(site.screen)".hasPrefix("offline: the database \(file.path) is damaged: "))
      #expect(site.screen.loss?.address == "/boot/refresh#pebble=database")

      try whole.write(to: file)
      try await refresh.run()
      #expect(site.screen == .online)
    }
    try database.close()
  }

  @Test func whoeverCannotReadHasTheDatabaseLookedAt() async throws {
    try FileManager.default.removeItem(atPath: folder.file("tracker.sqlite"))
    // Not the hour that is over: whoever wishes is not made to wait for it.
    let refresher = Refresher(
      refresh: refresh("http://127.0.0.1:9"), site: site, interval: .seconds(86_400),
      firstRetry: .seconds(86_400), clock: ContinuousClock())
    let running = Task { try await refresher.run() }

    site.wish(for: .check)
    while site.screen == .online { await Task.yield() }

    #expect("\(site.screen)".contains("is gone; start again"))
    #expect(site.screen.loss?.page == Refresh.page)
    running.cancel()
    try await running.value
    try database.close()
  }

  /// Checks that frequent checks do not delay the next refresh. A check is requested whenever the
  /// database cannot be read, which may be more often than refreshes are due.
  @Test func aCheckThatFindsNothingDoesNotPutOffTheNextRefresh() async throws {
    let (clock, checked) = (TestClock(), Gate())
    let refresh = refresh("http://127.0.0.1:9") { _, body in
      try await body()
      checked.open()
    }
    let refresher = Refresher(
      refresh: refresh, site: site, interval: .seconds(30), firstRetry: .seconds(10), clock: clock)
    let running = Task { try await refresher.run() }
    await clock.asleep(1)
    clock.advance(by: .seconds(20))

    site.wish(for: .check)
    await checked.passed()
    await clock.asleep(1)

    #expect(clock.sleepers.map(\.offset) == [.seconds(30)])
    running.cancel()
    try await running.value
    try database.close()
  }

  /// The pauses between refreshes that follow a screen, in seconds.
  static let pauses: [(screen: Site.Screen, seconds: [Int])] = [
    (.offline(Loss(cause: "the feed was away")), [10, 20, 35, 35]), (.online, [35, 10, 20, 35]),
  ]

  /// Checks that a refresh is retried soon after a loss, and then less often. The effect of a brief
  /// feed outage, during the boot or a refresh, therefore does not last until the next regular
  /// refresh.
  @Test(arguments: pauses)
  func whatIsMissingIsTriedSoonerAndThenMoreSeldom(
    screen: Site.Screen, seconds: [Int]
  ) async throws {
    site.show(screen)
    try await LaunchFeed(launches: .status(.badGateway)).serve { address in
      let clock = TestClock()
      let refresher = Refresher(
        refresh: refresh(address), site: site, interval: .seconds(35), firstRetry: .seconds(10),
        clock: clock)
      let running = Task { try await refresher.run() }

      var pauses: [Duration] = []
      for _ in 0..<4 {
        await clock.asleep(1)
        pauses.append(try #require(clock.sleepers.first).offset - clock.now.offset)
        clock.advanceToNextSleeper()
      }
      await clock.asleep(1)
      #expect(pauses == seconds.map { .seconds($0) })
      #expect(site.screen.name == "stale")

      running.cancel()
      try await running.value
    }
    try database.close()
  }

  /// Checks that only the greatest wish is received if several are made before anybody waits for
  /// one.
  @Test func wishesAreNotLost() async throws {
    site.wish(for: .check)
    site.wish(for: .refresh)
    site.wish(for: .check)
    #expect(await site.wish() == .refresh)

    let cancelled = Task { await site.wish() }
    cancelled.cancel()
    #expect(await cancelled.value == nil)
    site.wish(for: .check)
    #expect(await site.wish() == .check)
    try database.close()
  }

  /// Checks that a refresh no longer changes the screen if it ends after closing has begun.
  @Test func nothingComesAfterTheClosing() async throws {
    #expect(!site.beginClosing())
    try await LaunchFeed(launches: .status(.badGateway)).serve { address in
      try await refresh(address).run()
    }
    #expect(site.screen == .closing)
    site.show(.online)
    #expect("\(site.screen)" == "closing: the process was told to end")
    try database.close()
  }
}
