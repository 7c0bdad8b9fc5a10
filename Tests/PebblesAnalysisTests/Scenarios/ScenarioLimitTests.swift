import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the answers if diagrams are limited to few nodes or few steps.
@Suite(.watched) struct ScenarioLimitTests {
  // MARK: Nodes

  /// Checks that answers become unknown, but never wrong, if there are too few nodes. In this pond,
  /// `help` handles the failure of `fetch`, but whether it runs depends on the order in which
  /// bodies end.
  @Test(arguments: [FailurePolicy.ignore, .cancelAll])
  func tooLittleRoomMakesAnswersUnknownAndNeverWrong(policy: FailurePolicy) async throws {
    let pond = Pond("boot", onFailure: policy)
    let fetch = pond.pebble("fetch") {}
    let one = pond.pebble("one") {}
    let other = pond.pebble("other", when: one.succeeded) {}
    one.ready = other.succeeded
    let recover = pond.pebble("recover", when: one.skipped) {}
    let help = pond.pebble("help", when: fetch.failed && recover.succeeded) {}
    let all = try Answers(pond.scenarios(), recover.completed && help.completed)

    var limit = 1
    while true {
      let some = try Answers(
        pond.scenarios(limit: limit), recover.completed && help.completed)
      #expect(some.isPart(of: all), "with \(limit) nodes: \(some)")
      guard limit < 1_000, some != all else { break }
      limit += 1
    }

    #expect(10..<1_000 ~= limit)
  }

  /// Checks that the sets of failures count as complete only if runs that are cut off were
  /// analyzed. Only such a run skips `other`.
  @Test func failuresAreAllThereAreOnlyIfCancelledRunsWereLookedAt() throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    pond.pebble("fetch") {}
    let other = pond.pebble("other") {}
    let all = try pond.scenarios().smallestFailures(leadingTo: other.skipped)
    #expect(all.sets == [["fetch"]] && all.isComplete)

    let some = try (1...100).map {
      try pond.scenarios(limit: $0).smallestFailures(leadingTo: other.skipped)
    }

    #expect(some.allSatisfy { !$0.isComplete || $0 == all })
    #expect(some.first?.isComplete == false && some.last == all)
  }

  /// Checks that earlier questions do not use up the nodes for later ones. The proof of each law
  /// needs nodes that are of no use for the other laws.
  @Test func answersAboutCancelledRunsDoNotDependOnTheQuestionsAskedBefore() throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let first = (0..<5).map { pond.pebble("first\($0)") {} }
    let second = (0..<5).map { pond.pebble("second\($0)") {} }
    let laws = (0..<5).map { shift in
      let pairs = (0..<5).map { first[$0].succeeded && second[($0 + shift) % 5].succeeded }
      return Law.implies(.any(pairs), .any(first.map(\.succeeded)))
    }
    let model = try pond.model()
    let limit = try #require(
      try stride(from: 50, to: 5_000, by: 10).first { limit in
        try laws.allSatisfy { try model.scenarios(limit: limit).check($0).isKept }
      })

    let scenarios = model.scenarios(limit: limit)

    for law in laws + laws { #expect(try scenarios.check(law).isKept) }
  }

  @Test func cancelledRunsAreFollowedOnce() throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let load = pond.pebble("load") {}
    let show = pond.pebble("show", when: load.succeeded) {}
    let scenarios = try pond.scenarios()
    let progress = [AnalysisProgress(), AnalysisProgress()]

    for one in progress {
      let result = try AnalysisProgress.$current.withValue(one) {
        try scenarios.check(.implies(show.completed, load.succeeded))
      }
      #expect(result.isKept)
    }

    #expect(progress.map(\.state.total) == [2, 0])
  }

  // MARK: Steps

  @Test(arguments: [100, 101, 200])
  func pebbleThatNeedsNoNodesTakesAStep(count: Int) throws {
    let pond = Pond("idle")
    for number in 0..<count { pond.pebble("\(number)", when: .never) {} }

    let scenarios = try pond.scenarios(limit: 1)

    #expect(scenarios.unknown.count == count - 100)
    #expect(scenarios.neverRun.count == 100)
  }

  /// Checks that the search for waiting pebbles is counted as work, although it creates no nodes.
  @Test(arguments: [(5, 0), (6, 100)])
  func ringThatStallsTakesAFewStepsForEachPebble(limit: Int, known: Int) throws {
    let pond = Pond("ring")
    let first = pond.pebble("0") {}
    var last = first
    for number in 1..<100 { last = pond.pebble("\(number)", when: last.succeeded) {} }
    first.ready = last.succeeded

    #expect(try pond.scenarios(limit: limit).neverRun.count == known)
  }

  @Test(arguments: [(20, nil), (60, Occurrence.always)])
  func runsThatAreCutOffTakeStepsAsWell(limit: Int, occurrence: Occurrence?) throws {
    let pond = Pond("boot", onFailure: .custom { _ in .goOn })
    let load = pond.pebble("load") {}
    let left = pond.pebble("left") {}
    let right = pond.pebble("right", when: left.succeeded) {}
    left.ready = load.skipped && right.completed
    for number in 0..<1_500 { pond.pebble("\(number)", when: .never) {} }

    #expect(try pond.scenarios(limit: limit).runs(load) == occurrence)
  }
}

/// The answers about the scenarios of a pond. An answer is `nil` if it is unknown.
private struct Answers: Equatable {
  let count: UInt128?
  let occurrences: [Occurrence?]
  let condition: Occurrence?
  let isKept: Bool?
  let unhandled: [String]?
  let failures: FailureSets?

  init(_ scenarios: Scenarios, _ condition: Condition) throws {
    count = scenarios.count
    occurrences = scenarios.model.names.map { scenarios.runs(.named($0)) }
    self.condition = try scenarios.occurrence(of: condition)
    let verdict = try scenarios.check(.never(condition)).verdict
    isKept = verdict == .unknown ? nil : verdict == .kept
    unhandled = scenarios.unhandledFailures
    let sets = try scenarios.smallestFailures(leadingTo: condition)
    failures = sets.isComplete ? sets : nil
  }

  /// Returns whether all known answers are also among the given answers.
  func isPart(of other: Answers) -> Bool {
    func agree<Answer: Equatable>(_ left: Answer?, _ right: Answer?) -> Bool {
      left == nil || left == right
    }
    return agree(count, other.count) && zip(occurrences, other.occurrences).allSatisfy(agree)
      && agree(condition, other.condition) && agree(isKept, other.isKept)
      && agree(unhandled, other.unhandled) && agree(failures, other.failures)
  }
}
