import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

@Suite(.watched) struct CountingTests {
  @Test func ofThePublishedBootMostEndingsShowOneScreen() throws {
    let boot = PublishedBoot()
    let scenarios = try boot.pond.scenarios()

    #expect(try scenarios.tally(of: boot.screens.map(\.completed)) == [88, 232, 48])
    #expect(try scenarios.count(where: !.any(boot.screens.map(\.completed))) == 88)
    #expect(try scenarios.count(where: .always) == 368)
    #expect(try scenarios.tally(of: []) == [368])
  }

  @Test func sharesAreRightHoweverManyEndingsThereAre() throws {
    let pond = Pond("wide")
    let pebbles = (0..<200).map { pond.pebble("\($0)") {} }
    let scenarios = try pond.scenarios()
    let all = try #require(scenarios.largeCount)
    let (first, second) = (pebbles[0], pebbles[1])

    let tally = try #require(try scenarios.largeTally(of: [first.failed, second.failed]))

    #expect(tally.map { $0.share(of: all) } == [0.25, 0.5, 0.25])
    #expect(tally.map(\.exact) == [nil, nil, nil])
    let three = try #require(try scenarios.largeCount(where: first.failed || second.failed))
    #expect(three.text(of: all, "ending") == "about 1.5 × 2^199 of about 2^200 endings (75%)")
    let none = try #require(try scenarios.largeCount(where: first.failed && first.succeeded))
    #expect(none.text(of: all, "ending") == "0 of about 2^200 endings")
    // A number of this type does not say that there are more.
    #expect(scenarios.count == .max)
    #expect(try scenarios.count(where: first.failed) == .max)
    #expect(try scenarios.tally(of: [first.failed]) == [.max, .max])
  }

  @Test func aGoalIsReachedInAShareOfEndingsThatAreTooManyForANumber() throws {
    let pond = Pond("wide")
    let pebbles = (0..<129).map { pond.pebble("\($0)") {} }
    pond.goal = pebbles[0].succeeded

    let goal = try #require(try pond.scenarios().goal)

    #expect(
      goal.description
        == "reached in about 2^128 of about 2^129 endings (50%); not if \"0\" fails")
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

  /// Checks that a failure is handled through skips in a cycle. The failure of `load` skips
  /// `first`, which skips `third`, and `help` handles the skip of `third`. The definition order of
  /// `log` varies.
  @Test(arguments: [true, false])
  func failureIsHandledThroughSkipsInACycle(isLogFirst: Bool) throws {
    let pond = Pond("cycle")
    let load = pond.pebble("load") {}
    let first = pond.pebble("first") {}
    if isLogFirst { pond.pebble("log", when: first.completed) {} }
    let third = pond.pebble("third", when: first.succeeded) {}
    let second = pond.pebble("second", when: third.succeeded) {}
    first.ready = load.succeeded && (load.completed || second.succeeded)
    pond.pebble("help", when: third.skipped) {}
    if !isLogFirst { pond.pebble("log", when: first.completed) {} }

    let scenarios = try pond.scenarios()

    #expect(try scenarios.check(.implies(load.failed, third.skipped)).isKept)
    #expect(scenarios.unhandledFailures?.contains("load") == false)
  }
}
