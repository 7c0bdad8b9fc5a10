import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of findings about failures, under every policy. A failure is handled by the pebbles that
/// read it, and by those that read a pebble that was skipped because of it.
@Suite struct FailureLintTests {
  private static let policies: [FailurePolicy] = [.ignore, .cancelAll, .custom { _ in .goOn }]

  @Test(arguments: policies)
  func readerOfASkipHandlesTheFailureBehindIt(policy: FailurePolicy) {
    let pond = Pond("boot", onFailure: policy)
    let fetch = pond.pebble("fetch") {}
    let store = pond.pebble("store", when: fetch.succeeded) {}
    let last = pond.pebble("last", when: store.completed) {}
    #expect(pond.lint(also: [.unhandledFailure]).about("fetch").map(\.kind) == [.unhandledFailure])

    pond.pebble("offline", when: last.skipped) {}
    #expect(pond.lint(also: [.unhandledFailure]).about("fetch").isEmpty)
  }

  @Test func policyThatCancelsIsSaidToDoSo() {
    let pond = Pond("boot", onFailure: .cancelAll)
    let load = pond.pebble("load") {}
    pond.pebble("read", when: load.succeeded) {}

    let findings = pond.lint(also: [.unhandledFailure]).of(.unhandledFailure)

    #expect(findings.map(\.severity) == [.note, .note])
    #expect(
      findings.map(\.sentence) == [
        "no pebble handles the failure of load, though others wait for it: that cancels the run",
        "nothing comes after read, so a failure there cancels the run",
      ])
  }

  /// Checks that a pebble that is read only by the goal counts as an end point of the pond.
  @Test func pebbleThatOnlyTheGoalMentionsIsAnEndPoint() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let publish = pond.pebble("publish", when: load.succeeded) {}
    pond.goal = publish.succeeded

    let findings = pond.lint(also: [.unhandledFailure]).of(.unhandledFailure)

    #expect(findings.map(\.severity) == [.warning, .note])
    #expect(
      findings.map(\.sentence) == [
        "no pebble handles the failure of load, though others wait for it",
        "nothing comes after publish, so a failure there is only in the report",
      ])
  }

  @Test func screenThatAPolicyKeepsFromRunningIsFound() throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let fetch = pond.pebble("fetch") {}
    let cache = pond.pebble("cache") {}
    let index = pond.pebble("index", when: fetch.succeeded) {}
    pond.pebble("offline", when: index.skipped && cache.succeeded) {}

    let finding = try #require(pond.lint(also: [.unhandledFailure]).about("fetch").first)

    #expect(finding.severity == .warning)
    #expect(finding.example?.failing == ["fetch", "cache"])
    #expect(
      finding.sentence
        == "no pebble handles the failure of fetch if fetch and cache fail: offline is skipped, "
        + "and the run is cancelled")
  }

  /// Checks that a redundant atom is not reported if nothing else handles a failure: if `read`
  /// fails, `show` runs because of `load`, and handles the failure only because it reads `read`.
  @Test(arguments: zip(policies, [1, 0, 0]))
  func atomThatAloneHandlesAFailureIsNotAdvisedToBeLeftOut(policy: FailurePolicy, count: Int) {
    let pond = Pond("boot", onFailure: policy)
    let load = pond.pebble("load") {}
    let read = pond.pebble("read", when: load.succeeded) {}
    pond.pebble("show", when: load.succeeded || read.succeeded) {}
    #expect(pond.lint().of(.redundant).count == count)

    // Unless something else does.
    pond.pebble("log", when: read.settled) {}
    #expect(
      pond.lint().of(.redundant).map(\.sentence) == [
        "read.succeeded changes nothing in the condition of show beside load.succeeded"
      ])
  }

  @Test(arguments: zip(policies, [1, 0, 0]))
  func branchThatAloneHandlesAFailureIsNotAdvisedToBeRemoved(policy: FailurePolicy, count: Int) {
    let pond = Pond("boot", onFailure: policy)
    let load = pond.pebble("load") {}
    let read = pond.pebble("read", when: load.succeeded) {}
    pond.pebble("show", when: load.settled || (load.failed && read.succeeded)) {}
    #expect(pond.lint().of(.unreachableBranch).count == count)

    pond.pebble("log", when: read.settled) {}
    #expect(pond.lint().of(.unreachableBranch).count == 1)
  }

  /// Checks a redundant atom that reads a failure directly, although the failure is also read
  /// through a skip. Such atoms were needed before skips passed failures on.
  @Test func atomThatIsReadOverASkipAnywayMayBeLeftOut() {
    let pond = Pond("boot", onFailure: .cancelAll)
    let fetch = pond.pebble("fetch") {}
    let index = pond.pebble("index", when: fetch.succeeded) {}
    pond.pebble("online", when: index.succeeded) {}
    pond.pebble("offline", when: !index.succeeded && fetch.settled) {}

    #expect(
      pond.lint().of(.redundant).map(\.sentence) == [
        "fetch.settled changes nothing in the condition of offline beside !index.succeeded"
      ])
  }

  @Test func longChainsAreLookedThroughOnce() {
    let pond = Pond("boot")
    var last = pond.pebble("first") {}
    for number in 0..<5_000 { last = pond.pebble("\(number)", when: last.succeeded) {} }

    let findings = pond.lint(also: [.unhandledFailure]).of(.unhandledFailure)

    #expect(findings.map(\.pebbles.count) == [5_000, 1])
    #expect(pond.lint().of(.notDecided).isEmpty)
  }
}
