import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of laws about ponds whose failure policy can end a run early.
@Suite(.watched) struct PolicyLawTests {
  private let pond = Pond("boot", onFailure: .cancelAll)

  @Test func lawThatACancellationBreaksIsNotKept() throws {
    let fetch = pond.pebble("fetch") {}
    let online = pond.pebble("online") {}
    pond.pebble("show", when: online.settled) {}

    let result = try pond.check(.always(online.completed))[0]

    #expect(!result.isKept)
    let ending = try #require(result.counterexample)
    #expect(ending.failed == ["fetch"])
    #expect(ending.outcome(of: online) == .cancelled)
    #expect(ending.unhandledFailures == ["fetch"])
    #expect(ending.isCancelled)
    #expect(result.limitations.isEmpty)
    #expect(
      "\(result)" == """
        broken: always online.completed
          fetch   fails
          online  is cancelled before it starts
          show    is cancelled before it starts
          (no pebble handles the failure of fetch, which cancels the run)
        """)
    #expect(fetch.name == "fetch")
  }

  /// Checks endings that a cancellation cuts off, in one of which the goal is reached before it.
  @Test func endingThatIsCutOffSaysWhetherTheGoalIsReached() throws {
    pond.pebble("fetch") {}
    let first = pond.pebble("first") {}
    let last = pond.pebble("last", when: first.completed) {}
    func goalIsReached(whereBroken law: Law) throws -> Bool? {
      let ending = try #require(try pond.check(law)[0].counterexample)
      #expect(ending.outcome(of: last) == .cancelled)
      return ending.isGoalReached
    }
    let law = Law.always(!first.completed || last.completed)
    #expect(try goalIsReached(whereBroken: law) == nil)

    pond.goal = first.completed
    #expect(try goalIsReached(whereBroken: law) == true)
    pond.goal = last.completed
    #expect(try goalIsReached(whereBroken: law) == false)
  }

  @Test func lawIsKeptThatHoldsWhateverIsCaught() throws {
    let load = pond.pebble("load") {}
    let read = pond.pebble("read", when: load.succeeded) {}
    let other = pond.pebble("other") {}

    let results = try pond.check(
      .implies(read.completed, load.succeeded), .never(load.failed && read.completed),
      .implies(read.failed || load.failed || other.failed, .always))

    #expect(results.map(\.isKept) == [true, true, true])
  }

  /// Checks a law about two screens. The offline screen reads a skip, so it handles the failure
  /// that caused the skip.
  @Test func oneScreenIsShownWhereFailuresAreHandledOverSkips() async throws {
    let fetch = pond.pebble("fetch") {}
    let index = pond.pebble("index", when: fetch.succeeded) {}
    let online = pond.pebble("online", when: index.succeeded) {}
    let offline = pond.pebble("offline", when: !index.succeeded) {}
    let law = Law.exactlyOne(of: online.completed, offline.completed)
    #expect(try pond.check(law)[0].isKept)

    // A failure that nobody handles, beside it, breaks that.
    pond.pebble("telemetry") {}
    let ending = try #require(try pond.check(law)[0].counterexample)
    #expect(ending.failed == ["telemetry"])
    #expect(ending.ran.contains("online") == false)
  }

  @Test func endingsSayThatTheyAreCancelled() throws {
    let ping = pond.pebble("ping") {}
    let load = pond.pebble("load") {}
    pond.pebble("retry", when: load.failed) {}

    let scenarios = try pond.scenarios()
    let bad = try scenarios.ending(failing: [ping])
    let good = try scenarios.ending(failing: [load])

    #expect(bad.isCancelled && !good.isCancelled)
    #expect(bad.unhandledFailures == ["ping"])
    #expect(
      "\(bad)" == """
        ping   fails
        load   succeeds
        retry  is not needed
        (no pebble handles the failure of ping, which cancels the run: pebbles not started by \
        then are skipped)
        (the failure policy of the pond may end the run early, which is not taken into account)
        """)
    #expect(scenarios.endings.contains { $0.isCancelled && $0.failed == ["ping"] })
  }

  @Test func whatIsCaughtDoesNotAlwaysRun() throws {
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.completed) {}
    let last = pond.pebble("last", when: second.completed) {}

    let scenarios = try pond.scenarios()
    #expect(scenarios.alwaysRun == ["first", "second", "last"])
    #expect(scenarios.isExact)

    pond.pebble("beside") {}
    let more = try pond.scenarios()
    #expect(more.alwaysRun == [])
    #expect(more.sometimesRun == ["first", "second", "last", "beside"])
    #expect(try more.occurrence(of: last.completed) == .sometimes)
    #expect(try more.smallestFailures(leadingTo: last.skipped).sets == [["beside"]])
  }

  @Test func whatAClosureDoesIsNotKnown() throws {
    let custom = Pond("custom", onFailure: .custom { _ in .goOn })
    let load = custom.pebble("load") {}
    let show = custom.pebble("show", when: load.completed) {}
    let never = custom.pebble("never", when: .never) {}

    let scenarios = try custom.scenarios()
    let kept = try scenarios.check(.always(show.completed))
    let broken = try scenarios.check(.always(never.completed))

    #expect(kept.verdict == .unknown && !kept.isKept)
    #expect(kept.limitations == [.failurePolicy])
    #expect(broken.counterexample?.failed == [])
    // The failure of load may end the run.
    #expect(try scenarios.check(.always(load.succeeded)).verdict == .unknown)
    // Sometimes it is so without a failure, too.
    #expect(try scenarios.occurrence(of: load.succeeded) == .sometimes)
    #expect(try scenarios.occurrence(of: show.failed) == .sometimes)
    #expect(try scenarios.occurrence(of: load.completed) == .always)
    #expect(scenarios.alwaysRun == ["load"])
    #expect(scenarios.neverRun == ["never"])
    #expect(scenarios.unknown == ["show"])
    #expect(scenarios.limitations == [.failurePolicy])
  }

  /// Checks that the sets of failures are incomplete if a custom policy might end the run: the
  /// failure of `load` could then skip `show`.
  @Test func failuresAreNotAllThereAreIfAClosureMayEndTheRun() throws {
    let custom = Pond("custom", onFailure: .custom { _ in .cancelAll })
    let load = custom.pebble("load") {}
    let show = custom.pebble("show", when: load.completed) {}
    let scenarios = try custom.scenarios()

    let skipped = try scenarios.smallestFailures(leadingTo: show.skipped)
    let shown = try scenarios.smallestFailures(leadingTo: show.completed)

    #expect(skipped.sets.isEmpty && !skipped.isComplete)
    #expect("\(skipped)" == "… and perhaps more")
    // A run without failures never asks the closure.
    #expect(shown.sets == [[]] && shown.isComplete)
  }

  @Test func stalledPebblesAreFollowedIntoACancellation() throws {
    let beside = pond.pebble("beside") {}
    let one = pond.pebble("one") {}
    let other = pond.pebble("other", when: one.succeeded) {}
    one.ready = other.succeeded
    let after = pond.pebble("after", when: one.skipped) {}

    // Nothing stalls before `beside` has ended.
    #expect(try pond.check(.implies(after.completed, beside.completed))[0].isKept)
    #expect(try !pond.check(.implies(beside.completed, after.completed))[0].isKept)
  }

  @Test func longChainsUnderThePolicyAreFollowed() throws {
    var last = pond.pebble("first") {}
    let first = last
    for number in 0..<3_000 { last = pond.pebble("\(number)", when: last.succeeded) {} }

    #expect(try pond.check(.implies(last.completed, first.succeeded))[0].isKept)
  }
}
