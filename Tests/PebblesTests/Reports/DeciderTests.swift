import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that the pebble recorded as the one that decided a condition is also the one named in the
/// reason, in the explanation, and in the history of decisions.
@Suite(.watched) struct DeciderTests {
  private let pond = Pond("deciders")

  @Test func whatIsFalseAsItStandsWasDecidedByNoPebbleThatIsDisabled() async throws {
    let off = pond.pebble("off", .enabled { false }) {}
    let plain = pond.pebble("plain", when: .never && off.succeeded) {}
    let nested = pond.pebble("nested", when: (.never || .never) && off.succeeded) {}
    let open = pond.pebble("open", when: .always || off.skipped) {}

    let report = try await pond.run()

    for pebble in [plain, nested] {
      let record = try #require(report.record(of: pebble))
      #expect(record.outcome.skipReason?.decidedBy == nil)
      #expect(record.outcome.skipReason?.isConditionFalse == true)
      #expect(record.explanation.hasSuffix("its condition is false from the start"))
    }
    #expect(report.record(of: open)?.enabledBy == nil)
  }

  @Test func whatIsFalseAsItStandsWasDecidedByNoPebbleThatIsSkippedAtOnce() async throws {
    let gone = pond.pebble("gone", when: .never) {}
    let later = pond.pebble("later", when: .never && gone.succeeded) {}
    let follower = pond.pebble("follower", when: gone.succeeded) {}

    let report = try await pond.run()

    #expect(report.outcome(of: later).skipReason?.decidedBy == nil)
    #expect(report.outcome(of: follower).skipReason?.decidedBy == "gone")
  }

  @Test func aDisabledPebbleThatIsFalseAsItStandsIsDisabled() async throws {
    let off = pond.pebble("off", .enabled { false }, when: .never) {}

    #expect(try await pond.run().outcome(of: off).skipReason == .disabled)
  }

  @Test func ofTwoThatOnePebbleDecidesTheOneThatWasDecidedFirstIsNamed() {
    let mirror = pond.pebble("mirror") {}
    let flip = pond.pebble("flip") { true }
    let isHeads = flip.is(true)
    pond.pebble("last", when: (flip.succeeded && isHeads) || (mirror.succeeded && isHeads)) {}
    var run = OrderedRun(pond)
    run.end(0, succeeding: false)
    run.end(1, succeeding: false)

    let clause = DecidingClause(of: 2, run.enabling)

    #expect(clause.literals.map(\.pebble) == [1])
    #expect(clause.literals.map(\.pebbleCase) == [nil])
  }

  /// Tests conditions in which two operands become false at the same time. The operand on the
  /// pebble that is defined second is processed first.
  @Test func theExplanationNamesThePebbleThatTheReasonNames() async throws {
    let broken = pond.pebble("broken") { throw Breakdown() }
    let fine = pond.pebble("fine", when: broken.completed) {}
    let first = pond.pebble("first", when: broken.succeeded) {}
    let second = pond.pebble("second", when: broken.succeeded) {}
    let conditions: [Condition] = [
      first.succeeded && second.succeeded,
      second.succeeded && first.succeeded,
      (first.succeeded && second.succeeded) || fine.failed,
      ((first.succeeded && second.succeeded) || broken.succeeded) && fine.succeeded,
      (first.succeeded && second.succeeded) || (second.completed && first.completed),
    ]
    let skipped = conditions.enumerated().map { pond.pebble("s\($0)", when: $1) {} }

    let report = try await pond.run()

    for pebble in skipped {
      let record = try #require(report.record(of: pebble))
      let decider = try #require(record.outcome.skipReason?.decidedBy)
      #expect(record.explanation.contains("\(decider) to "), "decided by \(decider)")
    }
  }

  /// Tests conditions in which an operand on a case becomes false at the same time as another
  /// operand. The value of the first one depends on the answer of the closure of the case.
  @Test(arguments: [true, false])
  func theExplanationNamesTheCaseThatTheReasonNames(isLocked: Bool) async throws {
    let broken = pond.pebble("broken") { throw Breakdown("no disk") }
    let locked = broken.failed("locked") { _ in isLocked }
    let gone = pond.pebble("gone", when: broken.succeeded) {}
    let isFalse = isLocked ? !locked : locked
    let skipped = [isFalse && gone.succeeded, gone.succeeded && isFalse]
      .enumerated().map { pond.pebble("s\($0)", when: $1) {} }

    let report = try await pond.run()

    for pebble in skipped {
      let record = try #require(report.record(of: pebble))
      let decider = try #require(record.outcome.skipReason?.decidedBy)
      #expect(record.explanation.contains("\(decider) to "), "decided by \(decider)")
    }
  }

  @Test func whatWasDecidedEarlyIsNotPutDownToWhatFailedLater() async throws {
    let fine = pond.pebble("fine") {}
    let later = pond.pebble("later", when: fine.succeeded) { throw Breakdown() }
    let skipped = pond.pebble(
      "skipped", when: !fine.succeeded && later.succeeded
    ) {}

    let record = try #require(try await pond.run().record(of: skipped))

    #expect(record.outcome.skipReason?.decidedBy == "fine")
    #expect(
      record.explanation
        == "skipped was not needed: it needs fine to fail or be skipped, but fine succeeded")
  }

  /// Checks that a list of at most 64 atoms is reduced to the fewest that decide a condition. The
  /// second operand is decided by the pebble that settled first, but also by a pebble that the
  /// first operand needs in any case.
  @Test(arguments: [(others: 63, named: 63), (others: 64, named: 65)])
  func upToSixtyFourAtomsAreTheFewestThatDecide(others: Int, named: Int) {
    let early = pond.pebble("early") {}
    let others = (0..<others).map { pond.pebble("p\($0)") {} }
    let condition = .all(others.map(\.succeeded)) && (early.succeeded || others[0].completed)
    pond.pebble("last", when: condition) {}
    var run = OrderedRun(pond)
    run.finish()

    let literals = DecidingClause(of: 1 + others.count, run.enabling).literals

    #expect(literals.count == named)
    #expect(literals.contains { $0.pebble == 0 } == (named > 64))
  }

  @Test func theHistoryOfDecisionsFollowsTheArrival() {
    let (first, second) = (pond.pebble("first") {}, pond.pebble("second") {})
    let other = pond.pebble("other") {}
    let either = first.succeeded || second.succeeded
    pond.pebble("plain", when: either) {}
    pond.pebble("nested", when: either && other.succeeded) {}
    let program = pond.program().pond
    let storage = RunStorage(program)
    var decisions = Decisions()
    storage.state.begin(into: &decisions)
    for pebble in [2, 1, 0] {
      storage.state.pebbleStarted(pebble, at: 0)
      storage.state.pebbleFinished(pebble, succeeded: true, at: 5, into: &decisions)
    }
    for pebble in [3, 4] {
      storage.state.pebbleStarted(pebble, at: 5)
      storage.state.pebbleFinished(pebble, succeeded: true, at: 6, into: &decisions)
    }

    let history = DecisionHistory(storage.state, program.operands)

    #expect(history.pebbles(deciding: 3) == [1])
    #expect(history.pebbles(deciding: 4) == [1, 2])
    #expect(storage.state.cause(of: 4) == 1)
  }
}
