import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

private enum Side: CaseIterable {
  case heads, tails
}

@Suite(.watched) struct CaseScenarioTests {
  private let pond = Pond("cases")

  @Test func exactlyOneOfAllValuesIsProved() throws {
    let flip = pond.pebble("flip") { Side.heads }
    let won = pond.pebble("won", when: flip.is(.heads)) {}
    let lost = pond.pebble("lost", when: flip.is(.tails)) {}
    let broken = pond.pebble("broken", when: flip.failed) {}

    let scenarios = try pond.scenarios()

    #expect(
      try scenarios.check(.exactlyOne(of: won.completed, lost.completed, broken.completed))
        .isKept)
    let result = try scenarios.check(.exactlyOne(of: won.completed, lost.completed))
    #expect(result.counterexample?.failed == ["flip"])
    #expect(try scenarios.check(.implies(flip.is(.heads), won.completed)).isKept)
  }

  @Test func endingsAreToldApartByTheCasesThatConditionsMention() throws {
    let load = pond.pebble("load") { 0 }
    let named = (0..<20).map { number in load.failed("\(number)") { _ in false } }
    pond.pebble("first", when: named[0]) {}
    pond.pebble("second", when: named[1] && !named[2]) {}

    let scenarios = try pond.scenarios()

    // load succeeds, or fails in one of eight ways; one or both of the others may run and fail.
    let endings = Array(scenarios.endings)
    #expect(scenarios.count == UInt128(endings.count))
    #expect(Set(endings).count == endings.count)
    #expect(endings.count == 1 + 3 + 3 * 2 + 1 * 2 + 1 * 4)
    #expect(endings.first?.failed == [])
  }

  @Test func theSmallestCounterexampleNamesTheCase() throws {
    let database = pond.pebble("database") { 0 }
    let locked = database.failed("locked") { _ in false }
    let showUnlock = pond.pebble("showUnlock", when: locked) {}

    let result = try pond.scenarios().check(.never(showUnlock.completed))

    let ending = try #require(result.counterexample)
    #expect(ending.cases(of: database) == [.failed("locked")])
    #expect("\(ending)".contains("database    fails as locked"))
  }

  @Test func aCounterexampleRatherHasACaseThanADisabledPebble() throws {
    let beta = pond.pebble("beta", .enabled { true }) {}
    let load = pond.pebble("load") { 0 }
    let isEmpty = load.succeeded("empty") { $0 == 0 }
    pond.pebble("show", when: isEmpty) {}

    let law = Law.always(beta.completed && !isEmpty)
    let ending = try #require(try pond.scenarios().check(law).counterexample)

    #expect(ending.disabled == [])
    #expect(ending.cases(of: load) == [.succeeded("empty")])
  }

  @Test func aLawMayMentionACaseThatNoConditionDoes() throws {
    let flip = pond.pebble("flip") { Side.heads }
    let after = pond.pebble("after", when: flip.succeeded) {}

    let kept = try pond.check(.implies(after.completed, flip.is(.heads) || flip.is(.tails)))
    let broken = try pond.check(.implies(after.completed, flip.is(.tails)))

    #expect(kept[0].isKept)
    #expect(broken[0].counterexample?.cases(of: flip) == [.is("heads")])
    #expect(try pond.scenarios().count(where: flip.is(.tails)) == 2)
  }

  @Test func whatIsAssumedSaysTheCases() throws {
    let database = pond.pebble("database") { 0 }
    let locked = database.failed("locked") { _ in false }
    let showUnlock = pond.pebble("showUnlock", when: locked) {}
    let flip = pond.pebble("flip") { Side.heads }
    let won = pond.pebble("won", when: flip.is(.heads)) {}
    let scenarios = try pond.scenarios()

    let ending = try scenarios.ending(given: [
      .fails(database, as: locked), .succeeds(flip, as: .tails),
    ])

    #expect(ending.outcome(of: showUnlock) == .succeeded)
    #expect(ending.outcome(of: won) == .skipped)
    #expect(ending.cases(of: flip) == [.is("tails")])
    #expect(
      try pond.why(won, given: [.succeeds(flip, as: .is("tails"))]).sentence
        .contains("it needs flip to succeed with heads, but flip succeeded with tails"))
    for (assumptions, sentence) in [
      (
        [Assumption.fails(database)],
        "flip succeeds, and others depend on its value: name the value, such as "
          + "is(\"heads\"), is(\"tails\")"
      ),
      (
        [.fails(database, as: flip.is(.heads))],
        "flip.is(\"heads\") is not a case of database"
      ),
      (
        [.succeeds(database, as: locked)],
        "database cannot be assumed to end as failed(\"locked\"), but it succeeded"
      ),
    ] {
      let error = #expect(throws: AssumptionError.self) { try scenarios.ending(given: assumptions) }
      #expect(error?.description == sentence)
    }
  }

  @Test func aGoalIsKnown() throws {
    let fetch = pond.pebble("fetch") {}
    let publish = pond.pebble("publish", when: fetch.succeeded) {}
    pond.goal = publish.succeeded

    let model = try pond.model()

    #expect(model.goal?.description == "publish.succeeded")
    #expect(try model.scenarios().count(where: publish.succeeded) == 1)
    let copy = try PondModel(json: model.json())
    #expect(copy.goal?.description == "publish.succeeded")
  }

  @Test func theGoalIsCountedAmongTheEndings() throws {
    let flip = pond.pebble("flip") { Side.heads }
    pond.goal = !flip.is(.heads)

    let goal = try #require(try pond.scenarios().goal)

    #expect(goal.endings == 3)
    #expect(goal.reached == 2)
    #expect(
      "\(goal)"
        == "reached in 2 of 3 endings; it may be missed though nothing fails, for example if flip "
        + "succeeds with heads")
  }

  @Test func aTimeoutExcludesNamedFailures() throws {
    let fetch = pond.pebble("fetch") {}
    let quota = fetch.failed("quota") { _ in false }
    let slow = pond.pebble("slow", when: fetch.timedOut) {}
    let over = pond.pebble("over", when: quota) {}

    let scenarios = try pond.scenarios()

    #expect(try scenarios.check(.never(slow.completed && over.completed)).isKept)
    #expect(scenarios.count == UInt128(Array(scenarios.endings).count))
    #expect(scenarios.count == 6)
    #expect(throws: AssumptionError.self) {
      try scenarios.ending(given: [.fails(fetch, as: .timedOut, .failed("quota"))])
    }
  }

  @Test func whatIsAssumedOfOnePebbleIsTakenTogether() throws {
    let database = pond.pebble("database") {}
    let locked = database.failed("locked") { _ in false }
    let old = database.failed("old") { _ in false }
    let both = pond.pebble("both", when: locked && old) {}
    let scenarios = try pond.scenarios()

    let ending = try scenarios.ending(given: [
      .fails(database, as: locked), .fails(database, as: old),
    ])

    #expect(ending.outcome(of: both) == .succeeded)
    let error = #expect(throws: AssumptionError.self) {
      try scenarios.ending(given: [.fails(database), .succeeds(database)])
    }
    #expect(error?.description == "database cannot be assumed both to fail and to succeed")
  }

  @Test func theReasonOfAMissedGoalIsThatOfTheRun() async throws {
    let first = pond.pebble("stalls") {}
    let other = pond.pebble("fails") { throw Breakdown("no") }
    first.ready = first.succeeded
    pond.goal = first.succeeded && other.succeeded

    let report = try await pond.run()

    #expect(try report.recorded().missedGoal == report.missedGoal)
  }

  // MARK: Text and files

  @Test func conditionsWithCasesReadBack() throws {
    let flip = pond.pebble("flip") { Side.heads }
    let odd = flip.failed("say \"no\"") { _ in false }
    let conditions = [
      flip.is(.heads), !flip.is(.tails), odd && !odd, flip.timedOut,
      (flip.succeeded && !flip.timedOut).labeled("x"),
    ]
    pond.pebble("after", when: .any(conditions)) {}
    let model = try pond.model()

    for condition in conditions {
      #expect("\(try model.condition("\(condition)"))" == "\(condition)")
    }
    let copy = try PondModel(json: model.json())
    #expect("\(copy.condition(at: 1))" == "\(model.condition(at: 1))")
    #expect(copy.json() == model.json())
    for (text, problem) in [
      (#"flip.is("edge")"#, #"has no case is("edge")"#),
      (#"after.failed("x")"#, #"has no case failed("x"); it has no cases"#),
      (#"flip.failed("say no")"#, #"did you mean failed("say \"no\"")?"#),
      ("flip.is(heads)", "there should be a name here, in quotes"),
    ] {
      let error = #expect(throws: TextError.self) { try model.condition(text) }
      #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }
  }

  @Test func aPebbleThatFailedHasNoStrayValue() async throws {
    let flip = pond.pebble("flip") { () throws -> Side in throw Breakdown("lost") }
    pond.pebble("won", when: flip.is(.heads)) {}

    let run = try await pond.run().recorded()

    #expect(run.strayValues.isEmpty)
    #expect(try run.problems == ["flip failed, and no pebble handled it: lost"])
  }

  @Test func aRecordedRunKnowsTheCases() async throws {
    let flip = pond.pebble("flip") { Side.tails }
    let won = pond.pebble("won", when: flip.is(.heads)) {}
    pond.goal = won.succeeded

    let report = try await pond.run()
    let run = try RecordedRun(json: report.recorded().json())

    #expect(run.json() == report.recorded().json())
    #expect(run.record(of: flip)?.cases == [.is("tails")])
    #expect(try run.isGoalReached == false)
    #expect(try run.missedGoal == report.missedGoal)
    #expect(try run.exitCode == 1)
    #expect(
      try run.why(won).sentence
        .contains("it needs flip to succeed with heads, but flip succeeded with tails"))
    #expect(try report.holds(flip.is(.tails)))
    #expect(try !report.holds(!flip.is(.tails)))
  }
}
