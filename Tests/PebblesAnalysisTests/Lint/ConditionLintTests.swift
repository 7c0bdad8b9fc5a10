import Pebbles
import PebblesAnalysis
import Testing

/// Tests of findings about conditions that are never true, are always true, or contain a redundant
/// part.
@Suite struct ConditionLintTests {
  private let pond = Pond("boot")
  private let ping: Pebble<Void>
  private let token: Pebble<Void>

  init() {
    ping = pond.pebble("ping") {}
    token = pond.pebble("token") {}
  }

  private func findings(_ kind: Finding.Kind) -> [Finding] { pond.lint().of(kind) }

  // MARK: Never true

  @Test func contradictionIsNeverTrue() throws {
    pond.pebble("show", when: token.completed && ping.succeeded && ping.failed) {}

    let finding = try #require(findings(.neverTrue).first)
    #expect(finding.pebbles == ["show"])
    #expect(finding.severity == .warning)
    #expect(
      finding.sentence
        == "show can never run: ping.succeeded && ping.failed is true in no scenario")
  }

  /// Checks that the contradicting parts are determined in conditions of up to 64 parts. This takes
  /// a question for each part that might be omitted.
  @Test(arguments: [64, 65])
  func ofUpTo64PartsOnlyThoseThatContradictAreSaid(count: Int) throws {
    let others = (0..<count - 2).map { pond.pebble("p\($0)") {} }
    pond.pebble("show", when: .all(others.map(\.succeeded) + [ping.succeeded, ping.failed])) {}

    let finding = try #require(findings(.neverTrue).first)

    #expect(finding.sentence.contains("p0.succeeded") == (count > 64))
  }

  /// Checks that a condition that is always or never true is reported only once, even though some
  /// of its parts are also redundant.
  @Test(arguments: [true, false])
  func aConditionIsReportedOnce(isContradiction: Bool) {
    let isEither = ping.succeeded || ping.failed || ping.failed
    let isBoth = ping.succeeded && ping.failed && ping.completed
    pond.pebble("show", when: isContradiction ? isBoth : isEither) {}

    #expect(pond.lint().map(\.kind) == [isContradiction ? .neverTrue : .alwaysTrue])
  }

  /// Checks that the parts of a condition are compared if there are at most 1,000 of them. The work
  /// grows with the number of pairs.
  @Test(arguments: [1_000, 1_001])
  func partsOfUpToAThousandAreCompared(count: Int) {
    let login = pond.pebble("login", when: ping.succeeded) {}
    // What the body is handed is not compared, and counts.
    let others = (0..<count - 2).map { place in pond.pebble("p\(place)") { place } }
    pond.pebble("show", needs: others, when: ping.succeeded && login.succeeded) { _ in }

    #expect(findings(.redundant).count == (count <= 1_000 ? 1 : 0))
    #expect(findings(.notDecided).count == (count <= 1_000 ? 0 : 1))
  }

  @Test func contradictionIsFoundThroughOtherPebbles() {
    let login = pond.pebble("login", when: ping.succeeded) {}
    let offline = pond.pebble("offline", when: ping.failed) {}
    pond.pebble("both", when: login.completed && offline.completed) {}

    #expect(findings(.neverTrue).map(\.pebbles) == [["both"]])
  }

  /// Checks that a timeout and another case of a failure exclude each other. Two cases other than
  /// the timeout can both hold.
  @Test func aTimeoutIsNoOtherCaseOfAFailure() {
    let locked = ping.failed("locked") { _ in false }
    let old = ping.failed("old") { _ in false }
    pond.pebble("late", when: ping.timedOut && locked) {}
    pond.pebble("both", when: locked && old) {}

    #expect(findings(.neverTrue).map(\.pebbles) == [["late"]])
  }

  @Test func oneBranchThatCanBeTrueIsEnough() {
    pond.pebble("show", when: (ping.succeeded && ping.failed) || token.failed) {}

    #expect(findings(.neverTrue).isEmpty)
  }

  @Test func skippedPebbleThatAlwaysRunsIsAwaitedInVain() {
    pond.pebble("show", when: ping.skipped) {}

    #expect(findings(.neverTrue).map(\.pebbles) == [["show"]])
  }

  @Test func pebbleThatMayBeDisabledMayBeSkipped() {
    let cache = pond.pebble("cache", .enabled { true }) {}
    pond.pebble("show", when: cache.skipped) {}

    #expect(findings(.neverTrue).isEmpty)
  }

  @Test func neverIsReportedAsSuch() {
    pond.pebble("later", when: .never) {}

    #expect(findings(.neverTrue).map(\.sentence) == ["later never runs: its condition is .never"])
  }

  /// Checks that a pebble that waits in vain for `login` is listed as a follower of `login`, and
  /// not of `offline`, whose skip it also reads and which is indeed skipped.
  @Test func aPebbleFollowsTheOneThatItAwaitsInVain() {
    let offline = pond.pebble("offline", when: ping.succeeded && ping.failed) {}
    let login = pond.pebble("login", when: token.succeeded && token.failed) {}
    pond.pebble("show", when: offline.skipped && login.succeeded) {}

    let found = findings(.neverTrue)

    #expect(found.map(\.pebbles) == [["offline"], ["login"]])
    #expect(found.map(\.followers) == [[], ["show"]])
  }

  @Test func followersOfPebbleThatNeverRunsAreNamedWithIt() throws {
    let dead = pond.pebble("dead", when: ping.succeeded && ping.failed) {}
    let next = pond.pebble("next", when: dead.succeeded && token.succeeded) {}
    pond.pebble("last", when: next.completed) {}
    pond.pebble("spared", when: next.settled || token.failed) {}

    let lint = pond.lint()
    let finding = try #require(lint.of(.neverTrue).first)
    #expect(lint.of(.neverTrue).count == 1)
    #expect(finding.pebbles == ["dead"])
    #expect(finding.followers == ["next", "last"])
    #expect(finding.sentence.hasSuffix("because of this next and last never run either"))
    #expect(lint.about("last") == [finding])
    #expect(lint.about("spared").allSatisfy { $0.kind == .unhandledFailure })
  }

  @Test func followerWithMistakeOfItsOwnIsReportedForItself() {
    let dead = pond.pebble("dead", when: ping.succeeded && ping.failed) {}
    pond.pebble("next", when: dead.succeeded && token.succeeded && token.failed) {}

    #expect(findings(.neverTrue).map(\.pebbles) == [["dead"], ["next"]])
  }

  // MARK: Always true

  @Test func bothOutcomesOfPebbleThatRunsAreAlwaysTrue() {
    pond.pebble("show", when: ping.succeeded || ping.failed) {}

    #expect(findings(.alwaysTrue).map(\.pebbles) == [["show"]])
  }

  /// Checks that a condition that joins both branches is only noted. One of the branches is always
  /// taken, so the condition is always true.
  @Test func whatJoinsAllBranchesIsANote() {
    let online = pond.pebble("online", when: ping.succeeded) {}
    let offline = pond.pebble("offline", when: ping.failed) {}
    pond.pebble("ready", when: online.completed || offline.completed) {}

    #expect(findings(.alwaysTrue).map(\.severity) == [.note])
  }

  @Test func conditionForTheOrderIsNoMistake() {
    pond.pebble("show", when: ping.completed && token.settled) {}
    pond.pebble("fast", when: ping.succeeded || token.completed) {}

    #expect(findings(.alwaysTrue).isEmpty)
  }

  @Test func bothOutcomesOfPebbleThatMayBeSkippedAreNotAlwaysTrue() {
    let login = pond.pebble("login", when: ping.succeeded) {}
    pond.pebble("show", when: login.succeeded || login.failed) {}

    #expect(findings(.alwaysTrue).isEmpty)
  }

  // MARK: Unreachable branches

  @Test func branchThatIsNeverTrueIsUnreachable() {
    let login = pond.pebble("login", when: ping.succeeded) {}
    pond.pebble("show", when: token.failed || (login.failed && ping.failed)) {}

    #expect(
      findings(.unreachableBranch).map(\.sentence) == [
        "a branch of the condition of show is unreachable: ping.failed && login.failed is true in "
          + "no scenario"
      ])
  }

  /// Checks a part that is also an operand of another part. The shared part is compiled to a single
  /// gate, which must be evaluated before the gate that contains it.
  @Test func aSharedPartThatOnlySetsTheOrderIsNotAlwaysTrue() {
    let loads = (0..<16).map { pond.pebble("load \($0)") {} }
    let all = Condition.all(loads.map(\.completed))
    pond.pebble("show", when: all && (all || token.succeeded)) {}

    #expect(findings(.alwaysTrue).isEmpty)
  }

  @Test func aBranchWithAConstantKeepsItsParentheses() {
    pond.pebble("show", when: token.failed || ((ping.failed || token.skipped) && .never)) {}

    #expect(
      findings(.unreachableBranch).contains {
        $0.sentence.contains("(ping.failed || token.skipped) && .never is true in no scenario")
      })
  }

  @Test func branchForASkipThatNeverComesIsUnreachable() {
    pond.pebble("show", when: token.failed || ping.skipped) {}

    #expect(findings(.unreachableBranch).map(\.severity) == [.warning])
  }

  /// Checks a condition that reads both the success and the skip of a pebble that is never skipped.
  /// Argo generates such a condition, meaning "not failed", for every step.
  @Test func outcomeThatNeverComesIsANoteBesideOthersOfTheSamePebble() {
    pond.pebble("show", when: ping.succeeded || ping.skipped) {}

    #expect(findings(.unreachableBranch).map(\.severity) == [.note])
  }

  @Test func outcomeThatNeverComesIsANoteBesideACaseOfTheSamePebble() {
    let load = pond.pebble("load") { 3 }
    pond.pebble("show", when: load.succeeded && (load.failed || load.is(1))) {}

    #expect(findings(.unreachableBranch).map(\.severity) == [.note])
  }

  @Test func branchThatIsNeverTrueWithTheRestIsUnreachable() {
    pond.pebble("show", when: ping.succeeded && (ping.failed || token.succeeded)) {}

    #expect(
      findings(.unreachableBranch).map(\.sentence) == [
        "a branch of the condition of show is unreachable: ping.failed is never true together with "
          + "the rest"
      ])
    #expect(findings(.redundant).isEmpty)
  }

  @Test func branchOverPebbleThatNeverRunsIsNotReportedAgain() {
    let dead = pond.pebble("dead", when: ping.succeeded && ping.failed) {}
    pond.pebble("show", when: dead.succeeded || token.failed) {}

    #expect(findings(.neverTrue).count == 1)
    #expect(findings(.unreachableBranch).isEmpty)
  }

  // MARK: Redundant parts

  @Test func whatAPredecessorHasWaitedForIsRedundant() {
    let login = pond.pebble("login", when: ping.succeeded) {}
    pond.pebble("show", when: ping.succeeded && login.succeeded) {}

    #expect(
      findings(.redundant).map(\.sentence) == [
        "ping.succeeded changes nothing in the condition of show beside login.succeeded"
      ])
    #expect(findings(.redundant).allSatisfy { $0.severity == .note })
  }

  @Test func ofTwoEqualPartsOneIsRedundant() {
    pond.pebble("show", when: ping.succeeded && ping.succeeded) {}

    #expect(findings(.redundant).count == 1)
  }

  @Test func partThatOnlyDelaysIsNotRedundant() {
    let login = pond.pebble("login", when: ping.failed) {}
    let screen = pond.pebble("screen", when: ping.failed) {}
    // `login` runs whenever `screen` does, but need not be over.
    pond.pebble("show", when: login.completed && screen.succeeded) {}
    pond.pebble("wait", when: token.completed && screen.succeeded) {}

    #expect(findings(.redundant).isEmpty)
  }

  @Test func partThatOnlyBringsForwardIsNotRedundant() {
    pond.pebble("show", when: token.succeeded || ping.completed) {}

    #expect(findings(.redundant).isEmpty)
  }

  @Test func branchThatAnotherIncludesIsRedundant() {
    let login = pond.pebble("login", when: ping.succeeded) {}
    pond.pebble("show", when: ping.succeeded || login.succeeded || token.failed) {}

    #expect(
      findings(.redundant).map(\.sentence) == [
        "login.succeeded changes nothing in the condition of show beside ping.succeeded || "
          + "token.failed"
      ])
  }

  @Test func inputsAreNeverRedundantButTheirRepetitionIs() {
    let login = pond.pebble("login", needs: ping) { _ in }
    pond.pebble("show", needs: ping, login) { _, _ in }
    #expect(findings(.redundant).isEmpty)

    pond.pebble("again", needs: login, when: login.succeeded) { _ in }
    #expect(findings(.redundant).map(\.pebbles) == [["again"]])
  }

  @Test func labelledPartIsNamedByItsLabel() {
    let login = pond.pebble("login", when: ping.succeeded) {}
    let isOnline = (ping.succeeded && ping.completed).labeled("is online")
    pond.pebble("show", when: isOnline && login.succeeded) {}

    let sentences = findings(.redundant).map(\.sentence)
    #expect(sentences.contains { $0.hasPrefix("\"is online\" changes nothing") })
  }
}
