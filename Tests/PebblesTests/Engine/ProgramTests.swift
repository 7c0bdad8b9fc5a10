import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the parts of a compiled pond other than its conditions.
@Suite(.watched) struct ProgramTests {
  private let pond = Pond("compiled")

  @Test func aPondIsCompiledOnceUntilItChanges() {
    pond.pebble("a") {}
    let first = pond.program()
    #expect(pond.program() === first)

    pond.pebble("b") {}

    let second = pond.program()
    #expect(second !== first)
    #expect(pond.program() === second)
  }

  @Test func onlyALimitNeedsAQueue() {
    pond.pebble("a") {}
    pond.pebble("b", .priority(0)) {}
    let logic = pond.program().pond

    #expect(logic.admission() == nil)
    #expect(logic.admission(isNeeded: true) != nil)
    #expect(logic.admission(learningFrom: [1, 1]) != nil)
    #expect(logic.admission(threaded: [1]) != nil)
  }

  @Test func aPriorityNeedsAQueue() {
    pond.pebble("a", .priority(1)) {}

    #expect(pond.program().pond.admission() != nil)
  }

  /// Checks the pebbles that are known to have outputs. A pebble that takes inputs is not among
  /// them, because it may have no output.
  @Test func bodiesThatReturnSomethingHaveOutputs() {
    let number = pond.pebble("number") { 1 }
    pond.pebble("nothing") {}
    pond.pebble("taking", needs: number) { $0 + 1 }

    #expect(pond.program().knownOutputs == [true, false, false])
    let copy = Pond("around")
    copy.add(pond, as: "inside")
    #expect(copy.program().knownOutputs == [true, false, false])
  }

  @Test func aClusterWithoutALimitIsNoLimit() {
    pond.pebble("a") {}
    let around = Pond("around")
    around.add(pond, as: "free")
    #expect(around.program().limitNames.groups == [])
    let limited = Pond("limited", maxConcurrent: 1)
    limited.pebble("b") {}

    around.add(limited, as: "limited")

    #expect(around.program().limitNames.groups == ["limited"])
  }

  @Test func standInsTakeThePlaceOfAllBodiesAndOfNoLogic() {
    pond.pebble("plain") {}
    pond.pebble("tried", .retry(.attempts(3))) {}
    pond.pebble("off") {}
    var asked: [Int] = []

    let program = pond.program().withStandIns(disabled: [2]) { pebble in
      asked.append(pebble)
      return {}
    }

    #expect(asked == [0, 1, 2])
    #expect(program.options.keys.sorted() == [1, 2])
    #expect(program.options[1]?.traits.retry != nil)
  }

  @Test func whatIsNotThereIsNamedByItsFirstTwoHundredCharacters() {
    let stranger = Pond("other").pebble("stranger") {}
    let graph = pond.program().pond.graph
    let (exact, long) = (String(repeating: "x", count: 200), String(repeating: "x", count: 201))
    let cut = String(repeating: "x", count: 199) + "…"

    for (text, shown) in [(exact, exact), (long, cut)] {
      #expect(
        graph.error(forCaseIn: text).description
          == "\(shown) cannot be decided: a case that it mentions was added to the pond later")
      #expect(
        graph.error(for: stranger.reference, mentionedBy: text).description
          == "\(shown) cannot be decided: \"stranger\" is a pebble of the pond \"other\", "
          + "not of this one")
    }
  }

  // MARK: Services that are called again

  @Test func aServiceIsStoppedBeforeAndCalledAgainAfterThoseThatItRestartsWith() {
    let again = PebbleTrait.ending(.restart(.attempts(2)))
    let database: Pebble<Int> = pond.service("database", again) { ready in ready(1) }
    pond.service("cache", .restartsWith(database), needs: database) { ready, _ in ready() }

    let families = pond.program().families

    #expect(families.restartedBefore == [0: [], 1: [0]])
    #expect(families.stoppedBefore == [0: [1], 1: []])
  }

  @Test func aServiceThatStopsBeforeOneThatWaitsForItIsStillCalledAgainFirst() {
    let again = PebbleTrait.ending(.restart(.attempts(2)))
    let database: Pebble<Int> = pond.service("database", again) { ready in ready(1) }
    let first: Pebble<Void> = pond.service(
      "first", .restartsWith(database), .stopsBefore(.named("second"), .named("other")),
      needs: database
    ) { ready, _ in ready() }
    pond.service("second", .restartsWith(database), needs: database, when: first.succeeded) {
      ready, _ in ready()
    }
    pond.service("other", .restartsWith(database), needs: database) { ready, _ in ready() }

    #expect(pond.program().families.restartedBefore == [0: [], 1: [0, 3], 2: [0, 1], 3: [0]])
  }

  /// Tests a copy of a pond in which the output of `http` is the input of `plain`, whose output is
  /// in turn an input of `http`. Only a copy can have such a cycle.
  @Test func aServiceThatTakesItsOwnOutputIsNotToBeCalledAgainBeforeItself() throws {
    let again = PebbleTrait.ending(.restart(.attempts(2)))
    let database: Pebble<Int> = pond.service("database", again) { ready in ready(1) }
    let plain = pond.pebble("plain") { 1 }
    let http: Pebble<Int> = pond.service(
      "http", .restartsWith(database), needs: database, plain
    ) { ready, _, _ in ready(1) }

    let copy = try pond.copy(replacing: plain, needs: http, teardown: nil) { $0 }

    #expect(copy.program().families.restartedBefore == [0: [], 2: [0]])
  }

  @Test func aPlainPebbleBesideTheWayOfAnOutputIsNoFault() {
    let again = PebbleTrait.ending(.restart(.attempts(2)))
    let database: Pebble<Int> = pond.service("database", again) { ready in ready(1) }
    let pool = pond.pebble("pool", needs: database) { $0 }
    pond.service("http", .restartsWith(database), needs: database, pool) { ready, _, _ in ready() }

    #expect(pond.program().pond.faults == [])
  }

  /// Checks a name that is defined in the innermost cluster, and could also be read as a path in
  /// the cluster around it. The cluster around it has no other pebbles.
  @Test func aNameIsLookedUpInTheInnermostClusterFirst() {
    pond.pebble("x") {}
    pond.pebble("b/x") {}
    pond.service("s", .stopsBefore(.named("b/x"))) { ready in ready() }
    let (middle, outer) = (Pond("middle"), Pond("outer"))
    middle.add(pond, as: "b")
    outer.add(middle, as: "a")

    #expect(outer.program().stopsBefore == [2: [1]])
  }

  @Test func fiveServicesOfACycleAreNamed() {
    for number in 0..<7 {
      let next = PebbleID.named("s\((number + 1) % 7)")
      let _: Pebble<Void> = pond.service("s\(number)", .stopsBefore(next)) { ready in ready() }
    }

    #expect(
      pond.program().pond.faults.map(\.description) == [
        #""s0" cannot stop before itself, through "s1", "s2", "s3", "s4""#
      ])
  }

  @Test func aServiceIsCalledAgainAfterThoseThatItMentionsAndThatCameUpBefore() {
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    pond.pebble("third", when: second.succeeded && first.settled) {}
    pond.pebble("other") {}
    let graph = pond.program().pond.graph

    let families = RestartFamilies().adding([0, 3, 2, 1], graph)

    #expect(families.predecessors == [2: [0], 1: [0]])
  }
}
