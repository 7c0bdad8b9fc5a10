import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of the properties and the description of a single ending.
@Suite struct EndingTests {
  private let pond = Pond("boot")

  @Test func endingsInWhichOtherThingsHappenHashDifferently() throws {
    for name in ["ping", "load", "show"] { pond.pebble(name) {} }

    let endings = Array(try pond.scenarios().endings)

    #expect(Set(endings.map(\.hashValue)).count > 1)
    #expect(endings[0].hashValue == Array(try pond.scenarios().endings)[0].hashValue)
  }

  @Test func pebblesAreGroupedByWhatBecameOfThem() throws {
    let ping = pond.pebble("ping") {}
    pond.pebble("load") {}
    pond.pebble("online", when: ping.succeeded) {}
    pond.pebble("offline", when: ping.failed) {}
    let scenarios = try pond.scenarios()

    #expect(try scenarios.ending().groups == [.succeeded, .succeeded, .succeeded, .notNeeded])
    #expect(
      try scenarios.ending(failing: [ping]).groups == [.failed, .succeeded, .blocked, .succeeded])
  }

  @Test func endingsOfTwoPondsAreNotTheSame() throws {
    let other = Pond("boot")
    for pond in [pond, other] { pond.pebble("load") {} }

    let ending = try pond.scenarios().ending()

    #expect(try ending == pond.scenarios().ending())
    #expect(try ending != other.scenarios().ending())
  }

  /// Checks that an ending omits the cases that no condition mentions. The analysis does not
  /// determine whether they hold.
  @Test func casesThatNoConditionMentionsAreNotTold() throws {
    let database = pond.pebble("database") {}
    _ = database.failed("locked") { _ in false }
    #expect("\(try pond.scenarios().ending(failing: [database]))" == "database  fails")

    pond.pebble("unlock", when: database.failed("old") { _ in false }) {}
    #expect(
      "\(try pond.scenarios().ending(failing: [database]))" == """
        database  fails otherwise
        unlock    is not needed
        """)
  }

  @Test(arguments: [(200, 0), (201, 1)])
  func twoHundredPebblesAreShown(count: Int, more: Int) throws {
    for number in 0..<count { pond.pebble("p\(number)") {} }

    let lines = try pond.scenarios().ending().table.split(separator: "\n")

    #expect(lines.count == 200 + more)
    #expect(lines[199] == "p199  succeeds")
    #expect(lines.dropFirst(200) == ["… and 1 more"].prefix(more))
  }

  @Test func endingSaysWhereThePolicyMayEndTheRunEarlier() throws {
    let policies: [(FailurePolicy, [[ScenarioLimitation]])] = [
      (.ignore, [[], []]), (.cancelAll, [[], [.failurePolicy]]),
      (.custom { _ in .goOn }, [[], [.failurePolicy]]),
    ]
    for (policy, limitations) in policies {
      let pond = Pond("boot", onFailure: policy)
      pond.pebble("load") {}

      #expect(try pond.scenarios().endings.map(\.limitations) == limitations)
    }
  }
}
