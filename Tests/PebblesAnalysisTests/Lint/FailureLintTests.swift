import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of findings about failures under each failure policy. A failure is handled by pebbles that
/// read it, and by pebbles that read a skip that it caused.
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

  /// Checks that a pebble is still an end point if only the goal mentions it.
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

  /// Checks an atom because of which `show` handles the failure of `read`: it runs if `load`
  /// succeeds. Without the atom, no pebble would handle the failure.
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

  /// Checks a boot that reads `fetch` in addition to the skip that its failure causes. This was
  /// necessary before failures were handled through skips.
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
