import Pebbles
import PebblesAnalysis
import PebblesDurable
import PebblesTestSupport
import Testing

private enum Side: CaseIterable {
  case heads, tails
}

private enum User: Equatable, Sendable {
  case guest
  case known(String)
}

/// Tests of cases that are reported to a scheduler, or that it evaluates for given values.
@Suite(.watched) struct SchedulerCaseTests {
  private let pond = Pond("cases")

  @Test func casesMustBeTold() throws {
    let flip = pond.pebble("flip") { Side.heads }
    let odd = flip.succeeded("odd") { _ in true }
    let won = pond.pebble("won", when: flip.is(.heads) && odd) {}
    let lost = pond.pebble("lost", when: flip.is(.tails) || flip.failed) {}
    let scheduler = try Scheduler(pond)
    try scheduler.start(0, at: .zero)

    let refused: [([PebbleCase]?, Bool, String)] = [
      (nil, true, "flip was settled without its cases, on which others depend"),
      ([.is("edge")], true, #"flip was settled as is("edge"), which it does not have"#),
      ([.is("heads")], false, #"flip was settled as is("heads"), but it failed"#),
      (
        [.is("heads"), .is("tails")], true,
        #"flip was settled as is("tails"), and as is("heads"), but it has only one value"#
      ),
    ]
    for (cases, succeeded, sentence) in refused {
      let error = #expect(throws: SchedulerError.self) {
        try scheduler.settle(0, succeeded: succeeded, cases: cases, at: .zero)
      }
      #expect(error?.description == sentence)
    }
    try scheduler.settle(0, succeeded: true, cases: [.is("heads"), .succeeded("odd")], at: .zero)

    #expect(scheduler.ready.map { scheduler.names[$0] } == [won.name])
    #expect(scheduler.outcome(of: 2)?.isSkipped == true)
    _ = lost
  }

  @Test func whatARunIsGivenIsAskedForItsCases() throws {
    let user = pond.given("user", User.self)
    _ = pond.given("size", default: 20)
    let isGuest = user.succeeded("a guest") { $0 == .guest }
    pond.pebble("signUp", when: isGuest) {}
    pond.pebble("home", when: !isGuest) {}

    let scheduler = try Scheduler(pond, given: [user.value(.known("ada"))])

    #expect(scheduler.outcome(of: 0)?.isSucceeded == true)
    #expect(scheduler.ready == [3] && scheduler.outcome(of: 2)?.isSkipped == true)
    #expect(throws: PondError.self) { try Scheduler(pond) }
    let twice = [user.value(.guest), user.value(.guest)]
    #expect(throws: PondError.self) { try Scheduler(pond, given: twice) }
  }

  @Test func whatTakesNoPartNeedNotBeGiven() throws {
    let user = pond.given("user", User.self)
    pond.pebble("home", needs: user) { _ in }
    let other = pond.pebble("other") {}

    let scheduler = try Scheduler(pond, only: [other])

    #expect(scheduler.ready == [2])
    #expect(throws: PondError.self) { try Scheduler(pond, only: [.named("home")]) }
  }

  @Test func whatIsDisabledInAModelIsSkipped() throws {
    let first = pond.pebble("first") {}
    pond.pebble("second", when: first.skipped) {}

    let scheduler = try pond.model().scheduler(disabling: [first])

    #expect(scheduler.outcome(of: 0)?.skipReason == .disabled)
    #expect(scheduler.ready == [1])
  }

  @Test func aModelIsScheduledWithItsCases() throws {
    let user = pond.given("user", Side.self)
    pond.pebble("home", when: user.is(.heads)) {}
    pond.pebble("signUp", when: !user.is(.heads)) {}
    let model = try pond.model()

    let scheduler = try model.scheduler(given: [0: [.is("heads")]])

    #expect(scheduler.outcome(of: 0)?.isSucceeded == true && scheduler.ready == [1])
    #expect(scheduler.outcome(of: 2)?.isSkipped == true)
    #expect(throws: SchedulerError.self) { try model.scheduler() }
    #expect(throws: SchedulerError.self) { try model.scheduler(given: [0: [], 1: []]) }
    let missing = #expect(throws: SchedulerError.self) {
      try model.scheduler(given: [0: [.is("heads")], 99: []])
    }
    #expect(
      missing?.description == "the pebble at position 99, which does not exist, was given")
    #expect(throws: SchedulerError.self) { try model.scheduler(given: [0: [.is("nobody")]]) }
    // A run that leaves it out need not say anything of it.
    pond.pebble("other") {}
    #expect(try pond.model().scheduler(only: [.named("other")]).ready == [3])
  }
}
