import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

@Suite struct CountingTests {
  @Test func ofThePublishedBootMostEndingsShowOneScreen() throws {
    let boot = PublishedBoot()
    let scenarios = try boot.pond.scenarios()

    #expect(try scenarios.tally(of: boot.screens.map(\.completed)) == [88, 232, 48])
    #expect(try scenarios.count(where: !.any(boot.screens.map(\.completed))) == 88)
    #expect(try scenarios.count(where: .always) == 368)
    #expect(try scenarios.tally(of: []) == [368])
  }

  @Test(arguments: 0..<3)
  func randomTalliesAreWhatGoingThroughAllEndingsGives(shard: Int) async throws {
    var generator = SeededGenerator(seed: 14_000 + UInt64(shard))
    for _ in 0..<100 {
      await Task.yield()
      let reference = ReferencePond.random(
        mostPebbles: 8, using: &generator)
      let pond = Pond("random")
      let pebbles = reference.define(in: pond).shuffled(using: &generator).prefix(4)
      let scenarios = try pond.scenarios()
      let ran = scenarios.endings.map { ending in
        pebbles.count { ending.outcome(of: $0)?.isCompleted == true }
      }

      let tally = try #require(try scenarios.tally(of: pebbles.map(\.completed)))

      let most = ran.max() ?? 0
      #expect(tally == (0...most).map { number in UInt128(ran.count { $0 == number }) })
    }
  }

  @Test func failuresThatNoPebbleHandlesAreTold() throws {
    let pond = Pond("boot")
    let cache = pond.pebble("cache") {}
    let network = pond.pebble("network") {}
    let show = pond.pebble("show", when: cache.succeeded || network.succeeded) {}
    pond.pebble("log", when: show.completed) {}

    // The one of cache only if network fails, too.
    #expect(try pond.scenarios().unhandledFailures == ["cache", "network", "log"])
    #expect(try pond.scenarios(limit: 3).unhandledFailures == nil)
  }
}
