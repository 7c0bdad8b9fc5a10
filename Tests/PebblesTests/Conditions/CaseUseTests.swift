import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of cases in combination with the other features of conditions, pebbles and ponds.
@Suite(.watched) struct CaseUseTests {
  private let pond = Pond("boot")

  // MARK: In conditions

  @Test(arguments: [1, 16] as [Int32], [true, false])
  func bothSignsOfACaseMayStandInACondition(smallestShared: Int32, isLocked: Bool) async throws {
    let pond = Pond("boot", smallestShared: smallestShared)
    let store = pond.pebble("store") { throw Breakdown() }
    let locked = store.failed("locked") { _ in isLocked }
    let never = pond.pebble("never", when: locked && !locked) {}
    let always = pond.pebble("always", when: !locked || locked) {}
    let twice = pond.pebble("twice", when: locked && (locked || !locked) && !(!locked)) {}
    let neither = pond.pebble("neither", when: !(locked || twice.settled)) {}

    let report = try await pond.run()

    #expect(!report.ran(never) && !report.ran(neither))
    #expect(report.ran(always))
    #expect(report.ran(twice) == isLocked)
  }

  @Test func aPebbleThatWaitsForItsOwnCaseStalls() async throws {
    let one = pond.pebble("one") {}
    one.ready = !one.failed("locked") { _ in true }
    let other = pond.pebble("other") { 7 }
    other.ready = other.is(7)

    let report = try await pond.run()

    for pebble in [one.pebbleID, other.pebbleID] {
      #expect(report.record(of: pebble)?.outcome.skipReason?.isStalled == true)
    }
  }

  @Test func aLabelNamesACase() async throws {
    let store = pond.pebble("store") { throw Breakdown("no disk") }
    let locked = store.failed("locked") { _ in false }.labeled("the store is locked")
    let unlock = pond.pebble("unlock", when: locked) {}
    let broken = pond.pebble("broken", when: store.failed && !locked) {}

    let report = try await pond.run()

    #expect(report.ran(broken))
    #expect(
      report.record(of: unlock)?.explanation
        == #"unlock was not needed: it needs "the store is locked", that is store to fail as "#
        + "locked, but store failed otherwise: no disk")
  }

  @Test(arguments: [true, false])
  func inputsAreNeededBesidesACase(isBeta: Bool) async throws {
    let settings = pond.pebble("settings") { isBeta }
    let beta = pond.pebble("beta", needs: settings, when: settings.is(true)) { $0 }
    let plain = pond.pebble("plain", needs: settings, when: !settings.is(true)) { $0 }

    let report = try await pond.run()

    #expect(report[beta] == (isBeta ? true : nil))
    #expect(report[plain] == (isBeta ? nil : false))
  }

  @Test(arguments: [1, 16] as [Int32])
  func manyConditionsShareOneOfCases(smallestShared: Int32) async throws {
    let pond = Pond("boot", smallestShared: smallestShared)
    let store = pond.pebble("store") { throw Breakdown() }
    let flip = pond.pebble("flip") { 7 }
    let both = store.failed("locked") { _ in true } && flip.is(7)
    let (open, closed) = (
      (0..<20).map { pond.pebble("open \($0)", when: both) {} },
      (0..<20).map { pond.pebble("closed \($0)", when: !both) {} }
    )

    let report = try await pond.run()

    #expect(open.allSatisfy { report.ran($0) })
    #expect(closed.allSatisfy { !report.ran($0) })
  }

  @Test func aPebbleHasAsManyCasesAsItMayHave() async throws {
    let load = pond.pebble("load") { 63 }
    let after = (0..<64).map { number in
      pond.pebble("after \(number)", when: load.succeeded("\(number)") { $0 == number }) {}
    }

    let report = try await pond.run()

    #expect(after.map { report.ran($0) } == (0..<64).map { $0 == 63 })
    #expect(report.record(of: load)?.cases == [.succeeded("63")])
  }

  @Test func aCaseThatNoConditionMentionsIsPartOfTheRecord() async throws {
    let load = pond.pebble("load") { 7 }
    _ = load.succeeded("odd") { $0 % 2 == 1 }
    let last = pond.pebble("last") { 8 }
    _ = last.is(8)

    let report = try await pond.run()

    #expect(report.record(of: load)?.cases == [.succeeded("odd")])
    #expect(report.record(of: last)?.cases == [.is("8")])
  }

  // MARK: Of pebbles

  /// Checks that a case is evaluated regardless of how the body is called. A different part of the
  /// runtime evaluates it for each kind of pebble.
  @Test(arguments: ["plain", "blocking", "timeout", "retry", "teardown"])
  func howeverABodyIsCalledItsCaseIsAsked(kind: String) async throws {
    let locked: Condition
    switch kind {
    case "blocking":
      locked = pond.pebble("store", .blocking) { throw Breakdown() }.failed("locked") { _ in true }
    case "timeout":
      locked = pond.pebble("store", .timeout(.seconds(60))) { throw Breakdown() }
        .failed("locked") { _ in true }
    case "retry":
      locked = pond.pebble("store", .retry(.attempts(2))) { throw Breakdown() }
        .failed("locked") { _ in true }
    case "teardown":
      locked = pond.pebble("store", teardown: {}) { throw Breakdown() }
        .failed("locked") { _ in true }
    default:
      locked = pond.pebble("store") { throw Breakdown() }.failed("locked") { _ in true }
    }
    let unlock = pond.pebble("unlock", when: locked) {}
    let broken = pond.pebble("broken", when: !locked) {}

    let report = try await pond.run()

    #expect(report.ran(unlock) && !report.ran(broken))
    #expect(report.record(of: .named("store"))?.cases == [.failed("locked")])
  }

  @Test func aServiceThatDoesNotComeUpIsAsked() async throws {
    let store: Pebble<Int> = pond.service("store") { _ in throw Breakdown() }
    let locked = store.failed("locked") { _ in true }
    let unlock = pond.pebble("unlock", when: locked) {}

    let report = try await pond.run()

    #expect(report.ran(unlock))
  }

  @Test func aBodyThatTheRunGivesUpTimesOut() async throws {
    let (clock, started, gate) = (AlarmClock(), Gate(), Gate())
    let cores = pond.pebble("cores") {
      started.open()
      await gate.passed()
    }
    _ = cores.timedOut
    let isAny = cores.failed("any") { _ in true }
    pond.pebble("after", when: isAny) {}

    let run = try pond.start(clock: clock, within: .seconds(5))
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await run.report
    gate.open()

    #expect(report.record(of: cores)?.cases == [.timedOut])
  }

  // MARK: Copies

  @Test func aClusterInAClusterHasTheCases() async throws {
    let store = Pond("store")
    let open = store.pebble("open") { throw Breakdown() }
    let locked = open.failed("locked") { _ in true }
    let middle = Pond("middle")
    let inner = middle.add(store, as: "inner")
    let unlock = middle.pebble("unlock", when: inner[locked]) {}
    let outer = pond.add(middle, as: "outer")
    let after = pond.pebble("after", when: outer[inner[locked]]) {}
    let not = pond.pebble("not", when: outer[!inner[locked]]) {}

    let report = try await pond.run()

    #expect(report.ran(outer[unlock]))
    #expect(report.ran(after) && !report.ran(not))
    #expect("\(outer[inner[locked]])" == #""outer/inner/open".failed("locked")"#)
  }

  @Test func aClusterKnowsTheCasesOfAPondThatIsGone() async throws {
    func add() -> (cluster: Cluster, locked: Condition) {
      let store = Pond("store")
      let open = store.pebble("open") { throw Breakdown() }
      let locked = open.failed("locked") { _ in true }
      return (pond.add(store, as: "store"), locked)
    }
    let (cluster, locked) = add()
    let unlock = pond.pebble("unlock", when: cluster[locked]) {}

    let report = try await pond.run()

    #expect(report.ran(unlock))
    #expect("\(locked)" == #"open.failed("locked")"#)
  }

  @Test func theTimeOfACopyIsItsOwn() async throws {
    let (clock, started) = (AlarmClock(), Gate())
    let store = Pond("store")
    let open = store.pebble("open", .timeout(.seconds(1))) {
      started.open()
      try await untilCancelled()
    }
    let slow = open.timedOut
    let cluster = pond.add(store, as: "store")
    let showSlow = pond.pebble("showSlow", when: cluster[slow]) {}

    async let run = pond.run(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    let report = try await run

    #expect(report.ran(showSlow))
  }

  // MARK: Failures

  @Test(arguments: [true, false])
  func aFailureIsHandledByWhoTellsItApart(isLocked: Bool) async throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let store = pond.pebble("store") { throw Breakdown() }
    let locked = store.failed("locked") { _ in isLocked }
    pond.pebble("unlock", when: locked) {}
    let show = pond.pebble("show", when: store.succeeded) {}
    let late = pond.pebble("late", when: show.skipped && locked) {}

    let report = try await pond.run()

    #expect(report.unhandledFailures.map(\.name) == (isLocked ? [] : ["store"]))
    #expect(report.isCancelled == !isLocked)
    #expect(report.ran(late) == isLocked)
  }
}
