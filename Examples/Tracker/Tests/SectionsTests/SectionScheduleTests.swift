import AsyncHTTPClient
import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTesting
import Sections
import Testing
import TrackerTestSupport

/// Tests that the result of a load does not depend on the order in which its parts end.
@Suite struct SectionScheduleTests {
  /// A screen with two sections that can be read and one that cannot.
  private struct Screen {
    let loader: SectionLoader
    let shown: Pebble<Int>
    let excuse: Pebble<Void>

    init(_ clock: TestClock, onFailure: SectionFailurePolicy) {
      loader = SectionLoader(
        "screen", client: .shared, logger: LogRecords().logger, onFailure: onFailure, clock: clock)
      let news = loader.add(Self.section("news", "items"))
      let users = loader.add(Self.section("users", "items"))
      let broken = loader.add(Self.section("broken", "nowhere"))
      shown = loader.pond.pebble("show", needs: news.pebble, users.pebble) {
        $0.items.count + $1.items.count
      }
      excuse = loader.pond.pebble("excuse", when: broken.pebble.failed) {}
    }

    private static func section(_ name: String, _ path: JSONKeyPath) -> Section<Feed.Item> {
      Section(
        local: Data(#"{"items":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}"#.utf8), path,
        identifier: name)
    }
  }

  @Test func theOrderDecidesNothing() async throws {
    let exploration = try await explore(
      { clock in Screen(clock, onFailure: .ignore) }, pond: { $0.loader.pond },
      schedules: .random(count: 1_000),
      laws: { screen in
        [.always(screen.shown.succeeded), .always(screen.excuse.succeeded)]
      })

    #expect(exploration.schedules == 1_000)
  }

  @Test func aFailureThatSomebodyHandlesCancelsNothing() async throws {
    try await explore(
      { clock in Screen(clock, onFailure: .cancelAll) }, pond: { $0.loader.pond },
      schedules: .random(count: 1_000),
      laws: { screen in
        [.always(screen.shown.succeeded), .always(screen.excuse.succeeded)]
      })
  }
}
