import AsyncHTTPClient
import Foundation
import PebblesTesting
import Synchronization
import Testing
import TrackerTestSupport

// How many wait for a refresh is not public.
@testable import Pebbles
@testable import Sections

@Suite struct SectionLoaderTests {
  private static let items = Feed.items(0..<5)

  /// Calls a closure with a loader and its server. The feed `broken` fails, and the feed `slow`
  /// does not answer before the turnstile opens.
  private func using(
    onFailure: SectionFailurePolicy = .ignore, clock: any Clock<Duration> = ContinuousClock(),
    slow: Turnstile = Turnstile(),
    _ test: @Sendable (SectionLoader, FeedServer, LogRecords) async throws -> Void
  ) async throws {
    let feeds = [
      "/good": Feed(Self.items, at: "items"),
      "/broken": Feed(Self.items, at: "items") { _ in .status(500) },
      "/slow": Feed(Self.items, at: "items") { _ in .held(by: slow) },
    ]
    try await FeedServer.using(feeds) { server in
      try await HTTPClient.using { client in
        let records = LogRecords()
        let loader = SectionLoader(
          "screen", client: client, logger: records.logger, onFailure: onFailure, clock: clock)
        try await test(loader, server, records)
      }
    }
  }

  private static func section(
    _ name: String, _ server: FeedServer, paging: SectionPaging = .none, _ traits: PebbleTrait...,
    requests: [PebbleTrait] = []
  ) -> Section<Feed.Item> {
    Section(
      "\(server.url)/\(name)", "items", Feed.Item.self, identifier: name, paging: paging,
      .traits(traits)
    ) { _ in requests }
  }

  @Test func tenPullsAreOneLoad() async throws {
    let slow = Turnstile()
    try await using(slow: slow) { loader, server, records in
      let section = loader.add(Self.section("slow", server))

      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<10 {
          group.addTask { try await loader.refresh()[section].items.count }
        }
        // All ten are in before the server answers; the first alone cannot have ended.
        await slow.reached(1)
        await loader.joined(by: 10)
        slow.open()
        return try await group.reduce(into: []) { $0.append($1) }
      }

      #expect(counts == Array(repeating: 5, count: 10))
      #expect(server.requests.count == 1)
      #expect(records.all.count == 1)

      _ = try await loader.refresh()
      #expect(server.requests.count == 2)
    }
  }

  @Test func aPullThatIsGivenUpDoesNotEndTheLoadOfOthers() async throws {
    let slow = Turnstile()
    try await using(slow: slow) { loader, server, _ in
      let section = loader.add(Self.section("slow", server))

      let impatient = Task { try await loader.refresh()[section] }
      await slow.reached(1)
      let patient = Task { try await loader.refresh()[section] }
      await loader.joined(by: 2)
      impatient.cancel()
      slow.open()

      let contents = [try await patient.value, try await impatient.value]
      #expect(contents.map(\.items.count) == [5, 5])
      #expect(server.requests.count == 1)
    }
  }

  @Test func whenNobodyWaitsTheLoadIsCancelled() async throws {
    let slow = Turnstile()
    try await using(slow: slow) { loader, server, _ in
      let section = loader.add(Self.section("slow", server))

      let pull = Task { try await loader.refresh() }
      await slow.reached(1)
      pull.cancel()
      let loaded = try await pull.value

      #expect(loaded.report.isCancelled)
      #expect(loaded[section].items.isEmpty)
      #expect(loaded[section].error is CancellationError)
    }
  }

  @Test func aFailureLeavesTheOthersAlone() async throws {
    try await using { loader, server, _ in
      let broken = loader.add(Self.section("broken", server))
      let good = loader.add(Self.section("good", server))

      let loaded = try await loader.refresh()

      #expect(loaded[good].items == Self.items)
      #expect(loaded[good].isComplete)
      #expect((loaded[broken].error as? SectionError)?.status == 500)
    }
  }

  @Test func oneFailureMayEndAll() async throws {
    try await using(onFailure: .cancelAll) { loader, server, _ in
      let broken = loader.add(Self.section("broken", server))
      let slow = loader.add(Self.section("slow", server))

      let loaded = try await loader.refresh()

      #expect((loaded[broken].error as? SectionError)?.status == 500)
      #expect(loaded[slow].error is CancellationError)
      #expect(loaded.report.cancellation == .failure(of: "broken"))
    }
  }

  @Test(arguments: [true, false])
  func somebodyDecidesWhetherToGoOn(goesOn: Bool) async throws {
    let asked = Mutex<[String]>([])
    let slow = Turnstile()
    let policy = SectionFailurePolicy.custom { section, error in
      asked.withLock { $0.append("\(section): \((error as? SectionError)?.status ?? 0)") }
      if goesOn { slow.open() }
      return goesOn
    }
    try await using(onFailure: policy, slow: slow) { loader, server, _ in
      loader.add(Self.section("broken", server))
      let held = loader.add(Self.section("slow", server))

      let loaded = try await loader.refresh()

      #expect(asked.withLock { $0 }.first == "broken: 500")
      #expect(loaded[held].isComplete == goesOn)
    }
  }

  @Test func aSectionThatIsDisabledIsNotAskedFor() async throws {
    let isEnabled = Mutex(false)
    try await using { loader, server, _ in
      let section = loader.add(Self.section("good", server, .enabled { isEnabled.withLock { $0 } }))

      let without = try await loader.refresh()
      #expect(without[section].skipReason == .disabled)
      #expect(without[section].items.isEmpty)
      #expect(server.requests.isEmpty)

      isEnabled.withLock { $0 = true }
      #expect(try await loader.refresh()[section].items == Self.items)
    }
  }

  @Test func aServerThatDoesNotAnswerIsGivenUp() async throws {
    let clock = TestClock()
    let slow = Turnstile()
    try await using(clock: clock, slow: slow) { loader, server, _ in
      let section = loader.add(
        Self.section("slow", server, requests: [.timeout(.seconds(10))]))

      let pull = Task { try await loader.refresh()[section] }
      await slow.reached(1)
      await clock.asleep(1)
      clock.advance(by: .seconds(10))

      let content = try await pull.value
      #expect(content.error is PebbleTimeout)
    }
  }

  @Test func aServerThatIsNotThereIsAnError() async throws {
    // Otherwise the client would try again for ten seconds, as long as a request may take.
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.retryConnectionEstablishment = false
    try await HTTPClient.using(configuration) { client in
      let loader = SectionLoader("screen", client: client, logger: LogRecords().logger)
      let section = loader.add(
        Section("http://127.0.0.1:1/list", "items", Feed.Item.self, identifier: "list"))

      let content = try await loader.refresh()[section]

      #expect((content.error as? SectionError)?.isTransient == true)
    }
  }

  @Test(arguments: ["", "no address", "ftp://127.0.0.1/list", "http://"])
  func whatIsNoAddressIsAnError(url: String) async throws {
    try await HTTPClient.using { client in
      let loader = SectionLoader("screen", client: client, logger: LogRecords().logger)
      let section = loader.add(Section(url, "items", Feed.Item.self, identifier: "list"))

      let content = try await loader.refresh()[section]
      #expect((content.error as? SectionError)?.isTransient == false)
    }
  }

  @Test func dataThatIsThereIsASectionToo() async throws {
    try await using { loader, server, _ in
      let section = loader.add(
        Section(
          local: Data(#"{"collection":{"users":[{"id":7,"name":"Ada"}]}}"#.utf8),
          "collection.users", Feed.Item.self, identifier: "users"))

      let content = try await loader.refresh()[section]
      #expect(content.items == [Feed.Item(id: 7, name: "Ada")])
      #expect(server.requests.isEmpty)
    }
  }

  @Test func twoSectionsOfOneNameAreAMistake() async throws {
    try await using { loader, server, _ in
      loader.add(Self.section("good", server))
      loader.add(Self.section("good", server))

      await #expect(throws: PondError.self) { try await loader.refresh() }
    }
  }

  @Test func aLoaderIsAPond() async throws {
    try await using { loader, server, _ in
      let section = loader.add(Self.section("good", server))
      let boot = Pond("boot")
      let shown = loader.pond.pebble("show", needs: section.pebble) { $0.items.count }
      let cluster = boot.add(loader.pond, as: "screen")
      boot.pebble("open doors", when: cluster.succeeded) {}

      let loaded = try await loader.refresh()
      #expect(loaded.report[shown] == 5)

      let report = try await boot.run()
      #expect(report.isAllSucceeded)
    }
  }

  @Test func pagesArePebblesOfNestedRuns() async throws {
    try await using { loader, server, _ in
      server.serve(
        Feed(Feed.items(0..<25), at: "items", paging: .page(size: 10)), at: "/good")
      let section = loader.add(Self.section("good", server, paging: .page(size: 10, ahead: 2)))

      let report = try await loader.refresh().report

      let runs = report.record(of: section.pebble)?.nestedReports ?? []
      #expect(runs.map { $0.records.map(\.name) } == [["page 1"], ["page 2", "page 3"]])
    }
  }
}

extension SectionLoader {
  /// Suspends until at least `count` callers wait for the load under way.
  fileprivate func joined(by count: Int) async {
    while pond.refreshes.waitingCount < count { await Task.yield() }
  }
}
