import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@Suite struct LawTests {
  private let pond = Pond("boot")
  private let ping: Pebble<Void>
  private let cache: Pebble<Void>
  private let home: Pebble<Void>
  private let offline: Pebble<Void>

  init() {
    ping = pond.pebble("ping") {}
    cache = pond.pebble("cache") {}
    home = pond.pebble("home", when: ping.succeeded || cache.succeeded) {}
    offline = pond.pebble("offline", when: ping.failed && cache.failed) {}
  }

  @Test func lawsThatHoldAreKept() throws {
    let results = try pond.check(
      .exactlyOne(of: home.completed, offline.completed),
      .atMostOne(of: home.succeeded, offline.succeeded),
      .implies(ping.succeeded, home.completed),
      .eventually(offline.completed, whenever: home.skipped),
      .always(ping.completed),
      .never(home.completed && offline.completed))

    #expect(results.map(\.verdict) == Array(repeating: .kept, count: 6))
    #expect("\(results[4])" == "kept: always ping.completed")
  }

  @Test func lawsOfAnArrayAreCheckedInItsOrder() throws {
    let laws = [Law.always(home.succeeded), .always(ping.completed)]

    #expect(try pond.check(laws).map(\.isKept) == [false, true])
  }

  @Test func brokenLawComesWithTheFewestFailures() throws {
    let law = Law.exactlyOne(of: home.succeeded, offline.succeeded).labeled("one screen")

    let result = try pond.check(law)[0]

    #expect(!result.isKept)
    #expect(result.counterexample?.failed == ["home"])
    #expect(
      "\(result)" == """
        broken: one screen
          home     fails
          ping     succeeds
          cache    succeeds
          offline  is not needed
        """)
  }

  @Test func lawsOverNothingAreWhatTheyAreForNone() throws {
    let results = try pond.check(.exactlyOne(of: []), .atMostOne(of: []))

    #expect(results.map(\.isKept) == [false, true])
    #expect(results[0].counterexample?.failed == [])
  }

  @Test func aLawWithALabelCountsWhatItCounted() {
    let conditions = [home.succeeded, offline.succeeded]

    for law in [Law.exactlyOne(of: conditions), .atMostOne(of: conditions)] {
      let counted = law.labeled("one screen").alternatives
      #expect(counted.map(\.description) == conditions.map(\.description))
    }
    #expect(Law.always(home.succeeded).labeled("home").alternatives.isEmpty)
  }

  @Test func lawsAreCalledWhatTheySay() {
    #expect("\(Law.never(ping.failed))" == "never ping.failed")
    #expect(
      "\(Law.exactlyOne(of: home.succeeded, offline.succeeded))"
        == "exactly one of home.succeeded, offline.succeeded")
    #expect(
      "\(Law.eventually(home.completed, whenever: ping.succeeded))"
        == "eventually home.completed whenever ping.succeeded")
  }

  @Test func lawOverManyConditionsStaysSmall() throws {
    let large = Pond("large")
    let pebbles = (0..<2_000).map { large.pebble("\($0)") {} }

    let result = try large.check(.atMostOne(of: pebbles.map(\.failed)))[0]

    #expect(result.counterexample?.failed.count == 2)
    #expect(result.law.label.hasSuffix("\"1998\".failed, \"1999\".failed"))
  }

  @Test func lawAboutAnotherPondIsAnError() throws {
    let other = Pond("other")
    let stranger = other.pebble("stranger") {}

    let error = #expect(throws: UnknownPebbleError.self) {
      try pond.check(.always(stranger.failed))
    }

    #expect(error?.name == "stranger")
    #expect(
      error?.description == "always stranger.failed cannot be decided: "
        + "\"stranger\" is a pebble of the pond \"other\", not of this one")
    #expect(throws: UnknownPebbleError.self) {
      try pond.scenarios().smallestFailures(leadingTo: ping.failed && !stranger.failed)
    }
    #expect(try pond.scenarios().runs(stranger) == nil)
  }

  @Test func questionsAboutAnotherPondAreErrors() throws {
    let stranger = Pond("other").pebble("stranger") {}
    let scenarios = try pond.scenarios()
    let condition = ping.failed || !(cache.failed && stranger.failed)

    #expect(throws: UnknownPebbleError.self) { try scenarios.check(.always(condition)) }
    #expect(throws: UnknownPebbleError.self) { try scenarios.occurrence(of: condition) }
    #expect(throws: UnknownPebbleError.self) { try scenarios.count(where: condition) }
    #expect(throws: UnknownPebbleError.self) {
      try scenarios.smallestFailures(leadingTo: condition)
    }
  }

  @Test func aHundredSetsOfFailuresAreListed() throws {
    let wide = Pond("wide")
    let pebbles = (0..<101).map { wide.pebble("\($0)") {} }

    let failures = try wide.scenarios().smallestFailures(leadingTo: .any(pebbles.map(\.failed)))

    #expect(failures.sets.count == 100)
    #expect(failures.description.hasSuffix("\n… and perhaps more"))
  }

  @Test func failuresThatLeadNowhereAreSaidInASentence() throws {
    let failures = try pond.scenarios().smallestFailures(leadingTo: ping.skipped)

    #expect("\(failures)" == "no failures lead there")
  }

  @Test func setsOfFailuresThatAreUnknownAreNotSaidToBeNone() throws {
    let failures = try pond.scenarios(limit: 1).smallestFailures(leadingTo: home.skipped)

    #expect(failures.sets.isEmpty)
    #expect("\(failures)" == "… and perhaps more")
  }

  @Test(arguments: [(500, "x"), (501, "…")])
  func labelIsCutInASentence(length: Int, end: String) throws {
    let law = Law.always(.always).labeled(String(repeating: "x", count: length))

    let sentence = try pond.check(law)[0].description

    #expect(sentence == "kept: \(String(repeating: "x", count: 499))\(end)")
  }

  @Test func pebbleAddedAfterTheScenariosIsForeignToThem() throws {
    let scenarios = try pond.scenarios()
    let late = pond.pebble("late") {}

    #expect(throws: UnknownPebbleError.self) { try scenarios.check(.always(late.settled)) }
  }

  @Test func deepAndSharedConditionsAreChecked() throws {
    var shared = ping.succeeded && cache.succeeded
    for _ in 0..<64 { shared = shared && shared }
    var deep = shared
    for _ in 0..<(Thoroughness.isFull ? 50_000 : 20_000) { deep = !(deep || home.skipped) }

    #expect(try pond.check(.always(deep || !deep))[0].isKept)
  }

  @Test func wronglyDefinedPondHasNoScenarios() {
    pond.pebble("ping") {}

    #expect(throws: PondError.self) { try pond.scenarios() }
    #expect(throws: PondError.self) { try pond.check(.always(ping.settled)) }
  }

  @Test func disabledPebblesAreScenariosOfTheirOwn() throws {
    let boot = Pond("boot")
    let telemetry = boot.pebble("telemetry", .enabled { true }) {}
    let upload = boot.pebble("upload", when: telemetry.completed) {}

    let scenarios = try boot.scenarios()

    // Disabled; failed or succeeded, with what upload does then.
    #expect(scenarios.count == 5)
    #expect(Set(scenarios.endings).count == 5)
    #expect(scenarios.isExact)
    #expect(scenarios.sometimesRun == ["telemetry", "upload"])
    #expect(try scenarios.ending(disabling: [.named("telemetry")]).disabled == ["telemetry"])
    // Failures alone do not keep it from running.
    #expect(try scenarios.smallestFailures(leadingTo: upload.skipped).sets.isEmpty)
    let counterexample = try scenarios.check(.always(upload.completed)).counterexample
    #expect(counterexample?.disabled == ["telemetry"])
    #expect(counterexample?.failed == [])
  }
}
