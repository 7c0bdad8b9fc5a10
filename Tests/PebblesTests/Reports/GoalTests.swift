import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct GoalTests {
  private let pond = Pond("nightly")

  @Test func aRunWithoutAGoalIsNotAskedForOne() async throws {
    pond.pebble("fetch") {}

    let report = try await pond.run()

    #expect(pond.goal == nil)
    #expect(report.isGoalReached == nil)
    #expect(report.missedGoal == nil)
    #expect(report.exitCode == 0)
  }

  @Test func aRunThatHandledAllFailuresHasMissedItsGoal() async throws {
    let fetch = pond.pebble("fetch") { throw Breakdown("no route") }
    let publish = pond.pebble("publish", when: fetch.succeeded) {}
    pond.pebble("rollBack", when: publish.skipped || fetch.failed) {}
    pond.goal = publish.succeeded

    let report = try await pond.run()

    let sentence =
      "the goal was not reached: it needs publish to succeed, but publish was blocked"
    #expect(report.unhandledFailures.isEmpty)
    #expect(report.isGoalReached == false)
    #expect(report.missedGoal == sentence)
    #expect(report.exitCode == 1)
    #expect("\(report)".hasPrefix("nightly: 1 failed, 1 blocked, 1 succeeded in "))
    #expect("\(report)".contains(", goal not reached\n\n\(sentence)\n"))
    let error = #expect(throws: RunFailed.self) { try report.check() }
    #expect(error?.missedGoal == sentence)
    #expect(error?.description == "the pond \"nightly\": \(sentence)")
  }

  @Test func aGoalThatIsReachedIsSaidToBe() async throws {
    let home = pond.pebble("home") {}
    let offline = pond.pebble("offline", when: home.failed) {}
    pond.goal = .exactlyOne(of: home.completed, offline.completed)

    let report = try await pond.run()

    #expect(report.isGoalReached == true)
    #expect(report.exitCode == 0)
    try report.check()
  }

  @Test func theSmallestReasonIsNamed() async throws {
    let load = pond.pebble("load") {}
    let store = pond.pebble("store") { throw Breakdown("full") }
    pond.pebble("report", when: store.failed) {}
    pond.goal = (load.succeeded && store.succeeded).labeled("all is stored")

    let report = try await pond.run()

    #expect(
      report.missedGoal
        == "the goal was not reached: it needs \"all is stored\", that is store to succeed, "
        + "but store failed")
  }

  @Test func aGoalMayBeACase() async throws {
    let count = pond.pebble("count") { 3 }
    pond.goal = count.is(4)

    let report = try await pond.run()

    #expect(
      report.missedGoal
        == "the goal was not reached: it needs count to succeed with 4, but count succeeded "
        + "otherwise")
  }

  @Test func aGoalThatNothingCanReachIsMissed() async throws {
    pond.pebble("load") {}
    pond.goal = .never

    let report = try await pond.run()

    #expect(report.missedGoal == "the goal was not reached: no run can reach it")
  }

  @Test func aRunThatIsAskedToEndIsNotAskedForItsGoal() async throws {
    let (started, gate) = (Gate(), Gate())
    let load = pond.pebble("load") {
      started.open()
      await gate.passed()
    }
    let publish = pond.pebble("publish", when: load.succeeded) {}
    pond.goal = publish.succeeded

    let run = try pond.start()
    await started.passed()
    run.cancel()
    gate.open()
    let report = try await run.report

    #expect(report.outcome(of: publish).isSkipped)
    #expect(report.isGoalReached == nil)
    #expect(report.exitCode == 0)
  }

  @Test func aServerThatIsUpWithoutItsGoalHasFailed() async throws {
    pond.service("http") { ready in
      ready()
      await ready.stopRequested()
    }
    let warmUp = pond.pebble("warmUp") { throw Breakdown("cold") }
    pond.pebble("log", when: warmUp.failed) {}
    pond.goal = warmUp.succeeded

    let run = try pond.start()
    _ = try await run.report
    #expect(run.status.phase == .failed)

    _ = try await run.shutdown()
    #expect(run.status.phase == .failed)
  }

  @Test func aClusterBringsNoGoal() async throws {
    let part = Pond("part")
    let load = part.pebble("load") {}
    part.goal = load.failed
    pond.add(part, as: "part")

    let report = try await pond.run()

    #expect(report.isGoalReached == nil)
  }

  @Test func aGoalAboutAnotherPondIsAFault() async throws {
    let other = Pond("other")
    pond.goal = other.pebble("foreign") {}.succeeded

    let error = await #expect(throws: PondError.self) { try await pond.run() }
    #expect(
      error?.faults.map(\.description) == [
        "the pond has a goal that mentions \"foreign\", which belongs to the pond \"other\"; "
          + "it can only be about pebbles of its own pond"
      ])
  }

  @Test func anOutputOutsideOfAllValuesFailsTheCheck() async throws {
    struct Odd: CaseIterable, Equatable, Sendable {
      let number: Int
      static let allCases = [Odd(number: 1), Odd(number: 3)]
    }
    let odd = pond.pebble("odd") { Odd(number: 2) }
    pond.pebble("after", when: odd.is(Odd(number: 1))) {}

    let report = try await pond.run()

    #expect(report.strayValues.map(\.name) == ["odd"])
    #expect(report.exitCode == 1)
    let error = #expect(throws: RunFailed.self) { try report.check() }
    #expect(
      error?.description
        == "outputs that are none of the declared values in the pond \"nightly\":\n  - odd")
  }
}
