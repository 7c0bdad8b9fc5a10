import PebblesTestSupport
import Testing

@testable import Pebbles

/// What a pond is compiled to besides its conditions.
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

  /// Of a body that takes inputs it may come to none.
  @Test func bodiesThatReturnSomethingHaveOutputs() {
    let number = pond.pebble("number") { 1 }
    pond.pebble("nothing") {}
    pond.pebble("taking", needs: number) { $0 + 1 }

    #expect(pond.program().knownOutputs == [true, false, false])
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
