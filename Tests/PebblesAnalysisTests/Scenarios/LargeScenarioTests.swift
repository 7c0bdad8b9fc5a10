import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests of ponds with many pebbles, and of the answers for ponds with too many.
@Suite struct LargeScenarioTests {
  @Test func chainOfAThousandIsExact() throws {
    let (pond, pebbles) = Self.chain(of: 1_000)
    let last = try #require(pebbles.last)

    let scenarios = try pond.scenarios(limit: 10_000)

    #expect(scenarios.isExact)
    #expect(scenarios.count == 1_001)
    #expect(scenarios.alwaysRun == ["0"])
    #expect(scenarios.sometimesRun.count == 999)
    let failures = try scenarios.smallestFailures(leadingTo: last.skipped, atMost: 10)
    #expect(failures.sets.count == 10)
    #expect(failures.sets.allSatisfy { $0.count == 1 })
    #expect(!failures.isComplete)
  }

  @Test func chainOfAHundredThousandIsExactToo() throws {
    let count = Thoroughness.size(100_000)
    let (pond, pebbles) = Self.chain(of: count)
    let last = try #require(pebbles.last)

    let scenarios = try pond.scenarios()

    #expect(scenarios.isExact)
    #expect(scenarios.count == UInt128(count) + 1)
    #expect(scenarios.runs(last) == .sometimes)
    #expect(try scenarios.check(.implies(last.succeeded, pebbles[0].succeeded)).isKept)
  }

  /// Checks that the readers of a shared condition are searched only once. If they were searched
  /// for each operand, the number of steps would exceed the limit.
  @Test func readersOfASharedConditionAreLookedThroughOnce() throws {
    let pond = Pond("boot")
    let loads = (0..<1_000).map { pond.pebble("load\($0)") {} }
    let isAnyLoaded = Condition.any(loads.map(\.completed))
    let readers = (0..<1_000).map { pond.pebble("reader\($0)", when: isAnyLoaded) {} }

    let scenarios = try pond.scenarios(limit: 9_000)

    #expect(scenarios.unhandledFailures == readers.map(\.name))
  }

  @Test func thousandsOfDisabledPebblesAreASmallerCounterexampleThanAFailure() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let banners = (0...4_096).map { pond.pebble("banner\($0)", .enabled { true }) {} }
    let law = Law.never(ping.failed || Condition.all(banners.map(\.skipped)))

    let ending = try pond.scenarios().check(law).counterexample

    #expect(ending?.failed == [])
    #expect(ending?.disabled == banners.map(\.name))
  }

  @Test func independentPebblesHaveMoreEndingsThanCanBeCounted() throws {
    let pond = Pond("boot")
    for number in 0..<1_000 { pond.pebble("\(number)") {} }

    let scenarios = try pond.scenarios()

    #expect(scenarios.isExact)
    #expect(scenarios.count == .max)
    #expect(scenarios.endings.prefix(3).map(\.failed) == [[], ["999"], ["998"]])
  }

  @Test func ringOfAThousandStallsAsAWhole() throws {
    let (pond, pebbles) = Self.chain(of: 1_000)
    let last = try #require(pebbles.last)
    pebbles[0].ready = last.settled

    let scenarios = try pond.scenarios()

    #expect(scenarios.isExact)
    #expect(scenarios.neverRun.count == 1_000)
    #expect(scenarios.count == 1)
    #expect(try scenarios.ending().outcomes.allSatisfy { $0 == .stalled })
  }

  @Test func whatDoesNotFitIsUnknownAndTheRestStaysExact() throws {
    let pond = Pond("boot")
    let (first, second) = Self.farApart(40, in: pond)
    let hard = pond.pebble(
      "hard", when: .any(zip(first, second).map { $0.succeeded && $1.succeeded })
    ) {}
    let after = pond.pebble("after", when: hard.completed) {}
    let other = pond.pebble("other", when: first[0].failed) {}
    let never = pond.pebble("never", when: other.completed && first[0].succeeded) {}

    let scenarios = try pond.scenarios(limit: 2_000)

    #expect(scenarios.limitations == [.tooLarge(unknownPebbles: 2, limit: 2_000)])
    #expect(scenarios.unknown == ["hard", "after"])
    #expect(scenarios.count == nil)
    #expect(scenarios.runs(after) == nil)
    #expect(scenarios.runs(other) == .sometimes)
    #expect(scenarios.neverRun == ["never"])
    #expect(scenarios.runs(never) == .never)
    #expect(try scenarios.check(.never(hard.failed)).verdict == .unknown)
    #expect(try scenarios.occurrence(of: hard.failed) == nil)
    #expect(try scenarios.smallestFailures(leadingTo: hard.failed).sets.isEmpty)
    #expect(try !scenarios.smallestFailures(leadingTo: hard.failed).isComplete)
    // The engine itself can still simulate them.
    #expect(try scenarios.ending(failing: [hard]).outcome(of: after) == .succeeded)
    #expect(Array(scenarios.endings.prefix(2)).count == 2)
  }

  @Test func limitOfNoUseIsPutUpWith() throws {
    let pond = Pond("boot")
    pond.pebble("ping") {}

    for limit in [Int.min, -1, 0, 1] {
      let scenarios = try pond.scenarios(limit: limit)
      #expect(scenarios.unknown == ["ping"])
      let text = try #require(scenarios.limitations.first).description
      #expect(text.hasPrefix("1 pebble is unknown, as its decision diagram has over \(limit) "))
    }
  }

  @Test func answersDoNotDependOnTheQuestionsAskedBefore() throws {
    let pond = Pond("boot")
    let (first, second) = Self.farApart(8, in: pond)
    let scenarios = try pond.scenarios(limit: 1_000)
    let hard = Condition.any(zip(first, second).map { $0.succeeded && $1.succeeded })

    for _ in 0..<50 {
      #expect(try scenarios.check(.always(hard)).counterexample?.failed.count == 8)
      #expect(scenarios.count == 1 << 17)
    }
  }

  private static func chain(of count: Int) -> (Pond, [Pebble<Void>]) {
    let pond = Pond("chain")
    var pebbles: [Pebble<Void>] = []
    for number in 0..<count {
      pebbles.append(pond.pebble("\(number)", when: pebbles.last?.succeeded ?? .always) {})
    }
    return (pond, pebbles)
  }

  /// Returns two lists of pebbles. In every order that the analysis considers, all pebbles of one
  /// list come before those of the other.
  private static func farApart(
    _ count: Int, in pond: Pond
  ) -> (first: [Pebble<Void>], second: [Pebble<Void>]) {
    let first = (0..<count).map { pond.pebble("first\($0)") {} }
    let second = (0..<count).map { pond.pebble("second\($0)") {} }
    // Whoever depends on all of them lets them be found in the order of definition.
    pond.pebble("all", when: .all((first + second).map(\.settled))) {}
    return (first, second)
  }
}
