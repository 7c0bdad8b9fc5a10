import Foundation
import Pebbles
import PebblesAnalysis
import Testing

@testable import PebblesTemporal

/// Tests for runs that end without reaching their goal.
@Suite struct GoalReplayTests {
  private let pond = Pond("nightly")

  /// Defines a pond in which all failures are handled.
  private func load() -> Pond {
    let fetch = pond.pebble("fetch") {}
    let publish = pond.pebble("publish", when: fetch.succeeded) {}
    pond.pebble("roll back", when: fetch.failed) {}
    pond.goal = publish.succeeded
    return pond
  }

  private let missed = "the goal was not reached: it needs publish to succeed"

  @Test func aGoalThatIsReachedCompletesTheRun() throws {
    let history = try HistoryMaker(load())
    try history.decide()
    try history.succeed("fetch")
    try history.decide()
    try history.succeed("publish")

    #expect(try history.decide() == ["completed"])
    #expect(history.replay.status.missedGoal == nil)
  }

  @Test func aGoalThatIsMissedFailsTheRunHoweverWellItsFailuresWereHandled() throws {
    let history = try HistoryMaker(load())
    try history.decide()
    try history.fail("fetch", "no route")
    try history.decide()
    try history.succeed("roll back")

    let end = try #require(try history.decide().first)
    #expect(end.hasPrefix("failed: the pond \"nightly\": \(missed)"), "\(end)")
    #expect(try history.anew().decisions().map(\.words) == [end])
    #expect("\(history.replay.status)".contains("\n  \(missed)"))
    let run = try #require(history.replay.recorded())
    #expect(try run.isGoalReached == false)
    #expect(RunResult(run).summary.contains("; \(missed)"), "\(RunResult(run).summary)")
  }

  @Test func aRunThatIsCancelledInGoodOrderIsNotAskedForItsGoal() throws {
    let history = try HistoryMaker(load())
    try history.decide()
    try history.requestCancel()
    try history.decide()
    try history.cancelled("fetch")

    #expect(try history.decide() == ["cancelled"])
    #expect(history.replay.status.missedGoal == nil)
    #expect(!RunResult(try #require(history.replay.recorded())).summary.contains("goal"))
  }

  @Test func aDeadlineIsNamedBesideTheGoalThatItKeptTheRunFrom() throws {
    let history = try HistoryMaker(load()) { $0.within = 60_000 }
    try history.decide()
    try history.fireDeadline()
    try history.decide()
    try history.cancelled("fetch")

    let end = try #require(try history.decide().first)
    #expect(end.hasPrefix("failed: the run was cancelled: "), "\(end)")
    #expect(end.contains(missed), "\(end)")
  }

  @Test func anOutputThatIsNoneOfAllValuesFailsTheRun() throws {
    let isOn = pond.pebble("isOn") { true }
    pond.pebble("on", when: isOn.is(true)) {}
    let history = try HistoryMaker(pond)
    try history.decide()
    try history.succeed("isOn", "true", cases: [])

    #expect(
      try history.decide().first?.contains("outputs that are none of the declared values") == true)
  }
}
