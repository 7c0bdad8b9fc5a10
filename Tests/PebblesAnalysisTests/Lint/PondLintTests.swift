import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of findings about the connections between pebbles, and of the complete list of findings.
@Suite struct PondLintTests {
  // MARK: Cycles

  @Test func shutCycleStallsAlwaysAndIsOneFinding() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.completed) {}
    let third = pond.pebble("third", when: second.completed) {}
    first.ready = third.completed
    pond.pebble("after", when: third.succeeded) {}

    let lint = pond.lint()
    let finding = try #require(lint.first)
    #expect(lint.count == 1)
    #expect(finding.kind == .alwaysStalls)
    #expect(finding.pebbles == ["first", "second", "third"])
    #expect(finding.followers == ["after"])
    #expect(finding.sentence.contains("first → third → second → first"))
  }

  @Test func cycleThatStallsInSomeScenarioIsAWarningWithThat() throws {
    let pond = Pond("boot")
    let key = pond.pebble("key") {}
    let left = pond.pebble("left") {}
    let right = pond.pebble("right", when: left.succeeded) {}
    left.ready = key.succeeded || right.completed

    let finding = try #require(pond.lint().of(.cycle).first)
    #expect(finding.severity == .warning)
    #expect(finding.pebbles == ["left", "right"])
    #expect(finding.example?.failing == ["key"])
    #expect(
      finding.sentence
        == "pebbles wait in a cycle, and stall if key fails: left → right → left, each waiting "
        + "for the next")
  }

  @Test func cycleThatIsAlwaysOpenedIsANote() {
    let pond = Pond("boot")
    let key = pond.pebble("key") {}
    let left = pond.pebble("left") {}
    let right = pond.pebble("right", when: left.succeeded) {}
    left.ready = key.completed || right.completed

    #expect(pond.lint().of(.cycle).map(\.severity) == [.note])
  }

  @Test func pebbleThatWaitsForItselfStalls() {
    let pond = Pond("boot")
    let lonely = pond.pebble("lonely") {}
    lonely.ready = lonely.completed

    #expect(pond.lint().of(.alwaysStalls).map(\.pebbles) == [["lonely"]])
  }

  @Test func shortestCycleIsShown() {
    let pond = Pond("boot")
    let key = pond.pebble("key") {}
    let pebbles = (0..<6).map { pond.pebble("p\($0)") {} }
    for (index, pebble) in pebbles.enumerated() {
      pebble.ready = key.completed || pebbles[(index + 1) % 6].completed
    }
    pebbles[4].ready = key.completed || (pebbles[5].completed && pebbles[2].completed)

    #expect(pond.lint().of(.cycle).map(\.pebbles) == [["p2", "p3", "p4"]])
  }

  // MARK: Failures

  @Test func failureThatNobodyWaitsForIsUnhandled() throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let read = pond.pebble("read", when: load.succeeded) {}
    pond.pebble("show", when: read.completed) {}

    let findings = pond.lint(also: [.unhandledFailure]).of(.unhandledFailure)
    #expect(findings.map(\.pebbles) == [["load"], ["show"]])
    #expect(findings.map(\.severity) == [.warning, .note])
  }

  @Test func failureThatAnotherBranchMakesUpForIsUnhandledIfThatFailsToo() throws {
    let pond = Pond("boot")
    let cache = pond.pebble("cache") {}
    let network = pond.pebble("network") {}
    pond.pebble("show", when: cache.succeeded || network.succeeded) {}

    let finding = try #require(pond.lint(also: [.unhandledFailure]).of(.unhandledFailure).first)
    #expect(finding.severity == .warning)
    #expect(
      finding.sentence
        == "no pebble handles the failure of cache if cache and network fail: show is skipped")
  }

  @Test func failureWhoseHandlerMayBeSkippedIsShownWithTheScenario() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let load = pond.pebble("load") {}
    pond.pebble("offline", when: ping.failed && load.failed) {}
    pond.pebble("online", when: ping.succeeded && load.completed) {}
    pond.pebble("log", when: ping.completed) {}

    let lint = pond.lint(also: [.unhandledFailure])
    #expect(lint.about("load").isEmpty)
    #expect(lint.about("ping").isEmpty)

    let more = pond.pebble("more") {}
    pond.pebble("mend", when: more.failed && load.failed && ping.succeeded) {}
    let finding = try #require(pond.lint(also: [.unhandledFailure]).about("more").first)
    #expect(finding.example?.failing == ["more"])
    #expect(
      finding.sentence == "no pebble handles the failure of more if more fails: mend is skipped")
  }

  // MARK: Uses

  @Test func loneSuccessAmongCompletionsIsNoted() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("a", when: load.completed) {}
    pond.pebble("b", when: load.succeeded) {}
    #expect(pond.lint().of(.lonelySuccess).isEmpty)

    pond.pebble("c", when: load.completed) {}
    #expect(pond.lint().of(.lonelySuccess).map(\.pebbles) == [["b", "load"]])
  }

  @Test func twoSuccessesAmongCompletionsAreMeant() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    for name in ["a", "b"] { pond.pebble(name, when: load.completed) {} }
    for name in ["c", "d"] { pond.pebble(name, when: load.succeeded) {} }

    #expect(pond.lint().of(.lonelySuccess).isEmpty)
  }

  @Test func successThatAnInputNeedsIsNotNoted() {
    let pond = Pond("boot")
    let load = pond.pebble("load") { 1 }
    pond.pebble("a", when: load.completed) {}
    pond.pebble("b", needs: load) { _ in }
    pond.pebble("c", when: load.completed) {}

    #expect(pond.lint().of(.lonelySuccess).isEmpty)
  }

  @Test func successForOneThatWaitsForTheCompletionAsWellIsNotNoted() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let key = pond.pebble("key") {}
    for name in ["a", "c"] { pond.pebble(name, when: load.completed) {} }
    pond.pebble("b", when: load.completed && (key.succeeded || load.succeeded)) {}

    #expect(pond.lint().of(.lonelySuccess).isEmpty)
  }

  @Test func loneSuccessAmongCompletionsInASharedConditionIsNoted() {
    let pond = Pond("boot")
    let loads = (0..<20).map { pond.pebble("load\($0)") {} }
    let haveEnded = Condition.all(loads.map(\.completed))
    for name in ["a", "b"] { pond.pebble(name, when: haveEnded) {} }
    for place in [3, 7] { pond.pebble("c\(place)", when: loads[place].succeeded) {} }
    pond.pebble("d", when: haveEnded && loads[11].succeeded) {}

    #expect(
      pond.lint().of(.lonelySuccess).map(\.pebbles) == [["c3", "load3"], ["c7", "load7"]])
  }

  /// Checks a condition that is large enough to be compiled once, although a pebble reads it twice.
  @Test func loneSuccessIsNotedIfOnePebbleReadsItsConditionTwice() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let keys = (0..<16).map { pond.pebble("key\($0)") {} }
    for name in ["a", "b"] { pond.pebble(name, when: load.completed) {} }
    let isOpen = Condition.any([load.succeeded] + keys.map(\.failed))
    let paths = [keys[0].succeeded, keys[1].failed].map { isOpen && $0 }
    pond.pebble("c", when: paths[0] || paths[1]) {}

    #expect(pond.lint().of(.lonelySuccess).map(\.pebbles) == [["c", "load"]])
  }

  /// Checks that the users of a shared condition are searched only once. If they were searched for
  /// each operand, the time would be proportional to the product of both numbers.
  @Test func usersOfSharedConditionsAreLookedThroughOnce() throws {
    let count = Thoroughness.isFull ? 5_000 : 2_500
    let pond = Pond("boot")
    let loads = (0..<count).map { pond.pebble("load\($0)") {} }
    let hasSucceeded = Condition.any(loads.dropFirst().map(\.succeeded))
    let haveEnded = Condition.all(loads.map(\.completed))
    for number in 0..<count {
      pond.pebble("show\(number)", when: hasSucceeded) {}
      pond.pebble("stop\(number)", when: haveEnded) {}
    }
    pond.pebble("parse", when: loads[0].succeeded) {}
    var lint = Lint(try pond.model())

    lint.findLonelySuccesses()

    #expect(lint.sortedFindings.map(\.pebbles) == [["parse", "load0"]])
  }

  @Test func outputOfAPebbleThatNeverRunsIsNotUnusedAsWell() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("dead", when: load.succeeded && load.failed) { 1 }

    #expect(pond.lint().map(\.kind) == [.neverTrue])
  }

  @Test func outputThatNobodyTakesIsNoted() throws {
    let pond = Pond("boot")
    let used = pond.pebble("used") { 1 }
    pond.pebble("unused", when: used.succeeded) { 2 }
    pond.pebble("taker", needs: used) { _ in }

    #expect(pond.lint().of(.unused).map(\.pebbles) == [["unused"]])
    let read = try PondModel(json: pond.model().json())
    #expect(read.lint() == pond.lint())
  }

  @Test func endPointIsNotUnusedButAStrayPebbleIs() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("show", when: load.succeeded) {}
    pond.pebble("hide", when: load.failed) {}
    pond.pebble("stray") {}

    #expect(
      pond.lint().of(.unused).map(\.sentence) == [
        "stray has no condition, and nothing depends on it"
      ])
    pond.pebble("lost") {}
    let last = pond.pebble("last", when: load.completed) {}
    for name in ["a", "b"] { pond.pebble(name, when: last.completed) {} }
    #expect(
      pond.lint().of(.unused).map(\.sentence) == [
        "stray and lost have no condition, and nothing depends on them"
      ])
  }

  // MARK: The list

  @Test func soundPondHasNothingToReport() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("show", when: load.completed) {}

    #expect(pond.lint().description == "boot: nothing to report")
    #expect(Pond("empty").lint().isEmpty)
  }

  @Test func wronglyDefinedPondIsAFindingForEachFault() {
    let other = Pond("other")
    let foreign = other.pebble("foreign") {}
    let pond = Pond("boot")
    pond.pebble("load") {}
    pond.pebble("load") {}
    pond.pebble("", when: foreign.succeeded) {}

    let lint = pond.lint()
    #expect(lint.map(\.severity) == [.error, .error, .error])
    #expect(lint.allSatisfy { $0.kind == .definition })
    #expect(lint.first?.pebbles == ["load"])
    #expect(lint.description.hasPrefix("boot: 3 errors\n"))
  }

  @Test func failuresAreLookedForOnRequest() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("read", when: load.succeeded) {}

    #expect(pond.lint().isEmpty)
    let found = pond.lint(also: [.unhandledFailure])
    #expect(found.map(\.kind) == [.unhandledFailure, .unhandledFailure])
    #expect(Finding.Kind.onRequest == [.unhandledFailure])
  }

  @Test func ignoredKindsAreLeftOut() {
    let pond = Pond("boot")
    let load = pond.pebble("load", when: .never) {}
    pond.pebble("show", when: load.settled) {}

    #expect(pond.lint(ignoring: [.neverTrue]).of(.neverTrue).isEmpty)
    #expect(pond.lint(ignoring: Set(Finding.Kind.allCases)).isEmpty)
  }

  @Test func listIsOrderedBySeverityThenDefinition() {
    let findings = PublishedBoot().pond.lint()

    #expect(findings.map(\.severity) == findings.map(\.severity).sorted(by: >))
  }

  @Test func anErrorMattersMoreThanAWarningAndThatMoreThanANote() {
    let ascending = Finding.Severity.allCases
    for (place, left) in ascending.enumerated() {
      for (other, right) in ascending.enumerated() {
        #expect((left < right) == (place < other), "\(left) and \(right)")
      }
    }
  }

  @Test(arguments: [199, 200, 201])
  func theFirstTwoHundredAreShown(count: Int) {
    let finding = Finding(.cycle, .note, pebbles: ["a"], "a waits", advice: "leave it")
    let findings = Findings(pondName: "boot", Array(repeating: finding, count: count))

    let lines = findings.description.split(separator: "\n").dropFirst()

    #expect(lines.count { $0 == "note: a waits" } == min(count, 200))
    #expect(lines.filter { $0.hasPrefix("…") } == (count > 200 ? ["… and 1 more"] : []))
  }

  @Test func hostileNamesStayOnTheirLines() {
    let names = [
      "two\nlines", "\u{202E}thgir", "say \"no\"", "nul\0", String(repeating: "🚀", count: 9_999),
    ]
    for name in names {
      let pond = Pond(name)
      let odd = pond.pebble(name) {}
      let next = pond.pebble("next", when: odd.succeeded && odd.failed) {}
      pond.pebble("last", when: next.succeeded.labeled(name) && odd.succeeded) {}

      let lint = pond.lint()
      let lines = lint.description.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 1 + 3 * lint.count)
      #expect(lines.allSatisfy { $0.count < 500 })
      #expect(!lint.description.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\0" })
    }
  }

  // MARK: Bounds

  @Test func whoeverWaitsIsToldWhatIsLookedAt() throws {
    let pond = Pond("boot")
    for number in 0..<7 { pond.pebble("p\(number)") {} }
    var lint = Lint(try pond.model())
    let progress = AnalysisProgress()

    AnalysisProgress.$current.withValue(progress) { lint.findDeadPebbles() }

    #expect(progress.state.stage == "pebbles looked at")
    #expect(progress.state.done == 6)
    #expect(progress.state.total == 7)
  }

  @Test func aConditionHasAtomsIfAnyCanBeListed() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let pond = ReferencePond.random(mostPebbles: 8, using: &generator)
        .definedPond(smallestShared: 2)
      let circuit = Circuit(try pond.model().pond)

      for row in 0..<circuit.network.rowCount {
        #expect(circuit.hasLeaves(row) == !circuit.leaves(of: row).isEmpty)
      }
    }
  }

  @Test func longChainAndDeepConditionAreNoTrouble() {
    let pond = Pond("long")
    var last = pond.pebble("p0") {}
    for index in 1..<3_000 { last = pond.pebble("p\(index)", when: last.succeeded) {} }
    var deep = last.completed
    for _ in 0..<3_000 { deep = (deep && last.settled) || last.skipped }
    pond.pebble("deep", when: deep) {}

    let lint = pond.lint()

    #expect(lint.count { $0.severity == .warning } <= 1)
  }

  @Test func scenariosOfSeveralDisabledPebblesReadWell() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first", .enabled { true }) {}
    let second = pond.pebble("second", .enabled { true }) {}
    let load = pond.pebble("load") {}
    pond.pebble("notice", when: load.failed && !(first.skipped && second.skipped)) {}

    let finding = try #require(
      pond.lint(also: [.unhandledFailure]).of(.unhandledFailure).first { $0.pebbles == ["load"] })
    #expect(
      finding.sentence
        == "no pebble handles the failure of load if load fails and first and second are disabled: "
        + "notice is skipped")
  }
}
