import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the root causes that are named at the end of a sentence.
@Suite struct WhyRootTests {
  private let pond = Pond("boot")

  @Test func rootsAreFoundBehindConditionsInConditions() throws {
    let pebbles = ["a", "b", "c", "d"].map { pond.pebble($0) {} }
    let (left, right) = (
      pebbles[0].succeeded || pebbles[1].succeeded, pebbles[2].succeeded || pebbles[3].succeeded
    )
    let login = pond.pebble("login", when: left && right) {}
    let show = pond.pebble("show", when: login.succeeded) {}

    let why = try pond.why(
      show, given: [.fails(pebbles[0], error: "no"), .fails(pebbles[1], error: "never")])

    #expect(why.roots == "at the root, a failed: no and b failed: never")
    #expect(why.sentence.hasSuffix("; at the root, a failed: no and b failed: never"))
  }

  /// Checks that a failed pebble is a root cause, even if the failure of another pebble started it.
  @Test func aPebbleThatFailedIsTheRootWhateverStartedIt() throws {
    let ping = pond.pebble("ping") {}
    let load = pond.pebble("load", when: ping.failed) {}
    let show = pond.pebble("show", when: load.succeeded) {}

    let why = try pond.why(show, given: [.fails(ping, error: "no"), .fails(load, error: "empty")])

    #expect(why.roots == "at the root, load failed: empty")
  }

  @Test func aPebbleThatStalledIsOnlyReferredToTheSecondTime() throws {
    let stuck = pond.pebble("stuck") {}
    stuck.ready = stuck.succeeded
    let pair = ["a", "b"].map { pond.pebble($0, when: stuck.succeeded) {} }
    let show = pond.pebble("show", when: pair[0].succeeded || pair[1].succeeded) {}

    #expect(
      try pond.why(show).description == """
        show was blocked
        ├─ needs a to succeed, but it was blocked
        │  └─ needs stuck to succeed, but it was blocked in a stall
        │     └─ stuck waits for itself
        └─ or needs b to succeed, but it was blocked
           └─ needs stuck to succeed, but it was blocked in a stall (see above)
        """)
  }

  @Test func anErrorThatIsNoneOfTheCasesIsSaid() throws {
    let database = pond.pebble("database") {}
    let unlock = pond.pebble("unlock", when: database.failed("locked") { _ in false }) {}

    let why = try pond.why(unlock, given: [.fails(database, error: "disk full")])

    #expect(
      why.sentence.contains(
        "it needs database to fail as locked, but database failed otherwise: disk full"),
      "\(why.sentence)")
  }

  @Test func aPebbleThatCameUpBeforeIsOnlyReferredTo() throws {
    let ping = pond.pebble("ping") {}
    let login = pond.pebble("login", when: ping.succeeded) {}
    let pair = ["a", "b"].map { pond.pebble($0, when: login.succeeded) {} }
    let show = pond.pebble("show", when: pair[0].succeeded || pair[1].succeeded) {}

    let nodes = try pond.why(show, given: [.fails(ping)]).nodes

    #expect(nodes.map(\.name) == ["show", "a", "login", "ping", "b", "login"])
    #expect(nodes.map(\.isShownAbove) == [false, false, false, false, false, true])
    #expect(nodes.allSatisfy { !$0.isFalseFromStart })
  }
}
