import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ReadyTests {
  private let pond = Pond("ready")

  @Test func aConditionMayBeGivenAfterAllPebblesExist() async throws {
    let journal = Logbook<String>()
    let last = pond.pebble("last") { journal.note("last") }
    let first = pond.pebble("first") { journal.note("first") }

    last.ready = first.succeeded
    _ = try await pond.run()

    #expect(journal.entries == ["first", "last"])
  }

  @Test func readyReadsWhatWhenGave() {
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.failed) {}

    #expect(first.ready.description == ".always")
    #expect(second.ready.description == "first.failed")
    second.ready = first.settled
    #expect(second.ready.description == "first.settled")
  }

  @Test func aCycleThatAnOrOpensRuns() async throws {
    let door = pond.pebble("door") {}
    let left = pond.pebble("left") {}
    let right = pond.pebble("right") {}

    left.ready = right.succeeded || door.succeeded
    right.ready = left.succeeded
    let report = try await pond.run()

    #expect(report.outcome(of: left).isSucceeded)
    #expect(report.outcome(of: right).isSucceeded)
  }

  @Test func aCycleThatNothingOpensStallsAndLetsOthersKnow() async throws {
    let left = pond.pebble("left") {}
    let right = pond.pebble("right") {}
    left.ready = right.succeeded
    right.ready = left.succeeded
    let comforter = pond.pebble("comforter", when: left.skipped && right.skipped) {}

    let report = try await pond.run()

    #expect(report.outcome(of: left).skipReason == .stalled(waitingOn: ["right"]))
    #expect(report.outcome(of: right).skipReason == .stalled(waitingOn: ["left"]))
    #expect(report.outcome(of: comforter).isSucceeded)
  }

  @Test func aPebbleThatWaitsForItselfStalls() async throws {
    let own = pond.pebble("own") {}
    own.ready = own.succeeded

    let report = try await pond.run()

    #expect(report.outcome(of: own).skipReason == .stalled(waitingOn: ["own"]))
    #expect(report.record(of: own)?.explanation == "own was blocked: it waits for itself")
  }

  @Test func anOrStartsOnTheFirstSuccessWhileTheOtherStillRuns() async throws {
    let gate = Gate()
    let slow = pond.pebble("slow") { await gate.passed() }
    let quick = pond.pebble("quick") {}
    let either = pond.pebble("either", when: slow.succeeded || quick.succeeded) { gate.open() }

    let report = try await pond.run()

    #expect(report.record(of: either)?.enabledBy == "quick")
    #expect(report.outcome(of: slow).isSucceeded)
  }

  @Test func anAndIsFalseWithItsFirstFalseOperandWhileTheOtherStillRuns() async throws {
    let gate = Gate()
    let slow = pond.pebble("slow") { await gate.passed() }
    let failing = pond.pebble("failing") { throw Breakdown() }
    let both = pond.pebble("both", when: slow.succeeded && failing.succeeded) {}
    // Opens the gate, so the run ends only if the skip comes before `slow` has settled.
    pond.pebble("notices", when: both.skipped) { gate.open() }

    let report = try await pond.run()

    #expect(report.outcome(of: both).skipReason == .conditionFalse(decidedBy: "failing"))
    #expect(report.outcome(of: slow).isSucceeded)
  }

  @Test func everyAtomHoldsForJustItsOutcomes() async throws {
    let succeeding = pond.pebble("succeeding") {}
    let failing = pond.pebble("failing") { throw Breakdown() }
    let skipped = pond.pebble("skipped", when: .never) {}
    var runs: [[Bool]] = []

    for pebble in [succeeding, failing, skipped] {
      let atoms = [
        pebble.succeeded, pebble.failed, pebble.skipped, pebble.completed, pebble.settled,
      ]
      let readers = (atoms + atoms.map { !$0 }).enumerated().map { number, condition in
        pond.pebble("\(pebble.name) \(number)", when: condition) {}
      }
      let report = try await pond.run()
      runs.append(readers.map { report.outcome(of: $0).isSucceeded })
    }

    let truths = [
      [true, false, false, true, true],
      [false, true, false, true, true],
      [false, false, true, false, true],
    ]
    #expect(runs == truths.map { $0 + $0.map { !$0 } })
  }

  @Test func aDroppedPondReadsAsNeverAndCannotBeChanged() {
    var dropped: Pond? = Pond("dropped")
    let pebble = dropped?.pebble("pebble") {}
    dropped = nil

    pebble?.ready = .always

    #expect(pebble?.ready.description == ".never")
    #expect(pebble?.name == "pebble")
  }
}
