import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

/// Tests of cases and the goal in timelines and traces.
@Suite struct CaseFactsTests {
  private let goal = "The goal was not reached: it needs "

  @Test func aTimelineSaysAsWhatAPebbleEnded() throws {
    let svg = try CasePond().run().timeline()

    #expect(svg.contains("failed as locked: the lock is held"))
    #expect(svg.contains("with tails"))
    #expect(svg.contains("because flip succeeded with tails"))
    #expect(svg.contains(" \(goal)"))
  }

  @Test func aTraceHasTheCasesAmongTheArguments() throws {
    let trace = try CasePond().run().trace()

    #expect(trace.contains("\"outcome\": \"failed\", \"error\": \"the lock is held\", \"case\": "))
    #expect(trace.contains("\"case\": \"locked\""))
    #expect(trace.contains("\"case\": \"tails\""))
    #expect(trace.contains("\"otherData\": {\"pond\": \"cases\", \"goal\": \"\(goal)"))
  }

  @Test func aGoalThatWasReachedIsSaidToBe() throws {
    let pond = Pond("small")
    pond.goal = pond.pebble("only") {}.succeeded
    let run = Simulator(try pond.model(), SimulationPlan()).run()

    #expect(run.timeline().contains(" The goal was reached."))
    #expect(run.page().contains("<p id=\"goal\">The goal was reached.</p>"))
  }

  @Test func withoutAGoalNothingIsSaidOfOne() throws {
    let pond = Pond("small")
    pond.pebble("only") {}
    let run = Simulator(try pond.model(), SimulationPlan()).run()

    #expect(!run.timeline().contains("goal"))
    #expect(!run.trace().contains("goal"))
    #expect(!run.page().contains("<p id=\"goal\""))
  }
}
