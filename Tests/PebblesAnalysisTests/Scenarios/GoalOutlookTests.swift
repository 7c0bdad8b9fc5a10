import Pebbles
import PebblesAnalysis
import Testing

/// Tests of the sentence that says in which endings a goal is reached.
@Suite struct GoalOutlookTests {
  private let pond: Pond
  private let first: Pebble<Void>
  private let second: Pebble<Void>

  init() {
    pond = Pond("boot")
    first = pond.pebble("first") {}
    second = pond.pebble("second", when: first.completed) {}
  }

  private func sentence(_ goal: Condition, limit: Int? = nil) throws -> String {
    pond.goal = goal
    return "\(try #require(try pond.scenarios(limit: limit).goal))"
  }

  @Test func goalThatNothingCanKeepFromBeingReached() throws {
    #expect(try sentence(second.completed) == "reached in each of 4 endings")
  }

  @Test func goalThatNothingCanReach() throws {
    #expect(try sentence(first.skipped) == "reached in none of 4 endings")
  }

  @Test func goalThatSomeFailuresMiss() throws {
    #expect(
      try sentence(first.succeeded)
        == "reached in 2 of 4 endings; not if first fails")
    #expect(
      try sentence(first.succeeded || second.succeeded)
        == "reached in 3 of 4 endings; not if first and second fail")
    #expect(
      try sentence(first.succeeded && second.succeeded)
        == "reached in 1 of 4 endings; not if second fails, among others")
  }

  /// Checks a goal that is missed only in runs that are cut off. In all counted endings, a failure
  /// comes last, after all pebbles have run.
  @Test func goalThatOnlyARunCutOffMisses() throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let load = pond.pebble("load") {}
    pond.pebble("beside") {}
    pond.goal = load.completed

    let goal = try #require(try pond.scenarios().goal)

    #expect(goal.reached == 4 && goal.endings == 4)
    #expect(goal.occurrence == .sometimes)
    #expect("\(goal)" == "reached in 4 of 4 endings; not if beside fails")
  }

  @Test func goalOfWhichTooLittleIsKnown() throws {
    #expect(try sentence(first.succeeded, limit: 1) == "not known to be reached")
  }
}
