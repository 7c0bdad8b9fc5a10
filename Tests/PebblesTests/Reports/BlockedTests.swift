import PebblesTestSupport
import Testing

@testable import Pebbles

/// The state of an operand of a condition in the truth tables.
private enum Operand: String, CaseIterable, CustomStringConvertible {
  /// The operand is true.
  case fine
  /// The operand is false because of a failure.
  case blocked
  /// The operand is false, but not because of a failure.
  case spared

  var description: String { rawValue }
}

@Suite(.watched) struct BlockedTests {
  private let pond = Pond("boot")
  private let good: Pebble<Void>
  private let bad: Pebble<Void>

  init() {
    good = pond.pebble("good") {}
    bad = pond.pebble("bad") { throw Breakdown("no route") }
  }

  private func condition(_ operand: Operand) -> Condition {
    switch operand {
    case .fine: good.succeeded
    case .blocked: bad.succeeded
    case .spared: good.failed
    }
  }

  private func kind(when condition: Condition) async throws -> SkipKind? {
    let pebble = pond.pebble("subject", when: condition) {}
    return try #require(try await pond.run().record(of: pebble)).skipKind
  }

  // MARK: The rule

  @Test(arguments: [
    (Operand.fine, Operand.fine, SkipKind?.none), (.fine, .blocked, .blocked),
    (.fine, .spared, .notNeeded), (.blocked, .blocked, .blocked), (.spared, .spared, .notNeeded),
    (.blocked, .spared, .notNeeded),
  ])
  private func anAndIsNotNeededIfOneFalseOperandIsNot(
    left: Operand, right: Operand, kind: SkipKind?
  ) async throws {
    #expect(try await self.kind(when: condition(left) && condition(right)) == kind)
    #expect(try await Self().kind(of: right, and: left) == kind)
  }

  private func kind(of left: Operand, and right: Operand) async throws -> SkipKind? {
    try await kind(when: condition(left) && condition(right))
  }

  @Test(arguments: [
    (Operand.fine, Operand.blocked, SkipKind?.none), (.fine, .spared, nil),
    (.blocked, .blocked, .blocked), (.spared, .spared, .notNeeded), (.blocked, .spared, .blocked),
  ])
  private func anOrIsBlockedIfOneOperandIs(
    left: Operand, right: Operand, kind: SkipKind?
  ) async throws {
    #expect(try await self.kind(when: condition(left) || condition(right)) == kind)
  }

  @Test func anAtomIsBlockedOnlyIfSuccessCouldHaveMadeItTrue() async throws {
    let blocked = pond.pebble("blocked", when: bad.succeeded) {}
    let spared = pond.pebble("spared", when: good.failed) {}
    let expected: [(Condition, SkipKind)] = [
      (bad.succeeded, .blocked), (!bad.failed, .blocked), (bad.skipped, .notNeeded),
      (!bad.completed, .notNeeded), (!bad.settled, .notNeeded),
      (blocked.succeeded, .blocked), (blocked.completed, .blocked), (!blocked.skipped, .blocked),
      (blocked.failed, .notNeeded),
      (spared.succeeded, .notNeeded), (spared.completed, .notNeeded), (spared.failed, .notNeeded),
      (good.failed, .notNeeded), (good.skipped, .notNeeded), (!good.succeeded, .notNeeded),
    ]
    let pebbles = expected.enumerated().map { pond.pebble("p\($0)", when: $1.0) {} }

    let report = try await pond.run()

    for (pebble, (condition, kind)) in zip(pebbles, expected) {
      #expect(report.record(of: pebble)?.skipKind == kind, "\(condition)")
    }
  }

  // MARK: Corner cases

  @Test(arguments: [
    (Condition.never, SkipKind.notNeeded), (!Condition.always, .notNeeded),
    (.any([]), .notNeeded),
  ])
  func whatIsFalseFromTheStartIsNotNeeded(condition: Condition, kind: SkipKind) async throws {
    #expect(try await self.kind(when: condition) == kind)
  }

  @Test func constantsAreOperandsLikeOthers() async throws {
    let and = pond.pebble("and", when: bad.succeeded && .never) {}
    let or = pond.pebble("or", when: bad.succeeded || .never) {}

    let report = try await pond.run()

    #expect(report.record(of: and)?.skipKind == .notNeeded)
    #expect(report.record(of: or)?.skipKind == .blocked)
  }

  @Test func labelsAndNegationsChangeNothing() async throws {
    let labeled = pond.pebble("labeled", when: (bad.succeeded && good.succeeded).labeled("up")) {}
    let negated = pond.pebble("negated", when: !(bad.failed || good.failed).labeled("down")) {}
    let twice = pond.pebble("twice", when: !(!(good.failed.labeled("odd")))) {}

    let report = try await pond.run()

    #expect(report.blocked.map(\.name) == ["labeled", "negated"])
    #expect(report.record(of: labeled)?.isBlocked == true)
    #expect(report.record(of: negated)?.isBlocked == true)
    #expect(report.record(of: twice)?.skipKind == .notNeeded)
  }

  @Test func whatInputsImplyCounts() async throws {
    let pond = Pond("inputs")
    let load = pond.pebble("load") { () -> Int in throw Breakdown() }
    let show = pond.pebble("show", needs: load) { _ in }

    #expect(try await pond.run().isBlocked(show))
  }

  @Test func itGoesOnFromPebbleToPebble() async throws {
    let blocked = pond.pebble("b", when: bad.succeeded) {}
    let offline = pond.pebble("offline", when: good.failed) {}
    let later = pond.pebble("c", when: blocked.succeeded) {}
    let never = pond.pebble("d", when: offline.succeeded) {}

    let report = try await pond.run()

    #expect(report.blocked.map(\.name) == ["b", "c"])
    #expect(report.isBlocked(later))
    #expect(!report.isBlocked(never))
    #expect(report.record(of: never)?.skipKind == .notNeeded)
    #expect(report.record(of: good)?.skipKind == nil)
  }

  @Test func aCycleThatAFailureClosedIsBlockedAsAWhole() async throws {
    let left = pond.pebble("left") {}
    let right = pond.pebble("right", when: left.succeeded && good.succeeded) {}
    left.ready = right.succeeded && bad.succeeded

    let report = try await pond.run()

    #expect(report.blocked.map(\.name) == ["left", "right"])
    #expect(report.blocked.allSatisfy { $0.outcome.skipReason?.isConditionFalse == true })
  }

  @Test func aCycleThatIsNotNeededIsSoAsAWhole() async throws {
    let left = pond.pebble("left") {}
    let right = pond.pebble("right", when: left.succeeded && bad.failed) {}
    left.ready = right.succeeded && good.failed

    let report = try await pond.run()

    #expect(report.blocked.isEmpty)
    #expect(report.record(of: right)?.skipKind == .notNeeded)
  }

  @Test func whatStalledIsBlockedAndSoIsWhatNeedsIt() async throws {
    let left = pond.pebble("left") {}
    left.ready = left.succeeded
    pond.pebble("right", when: left.succeeded) {}
    let other = pond.pebble("other", when: left.failed) {}

    let report = try await pond.run()

    #expect(report.blocked.map(\.name) == ["left", "right"])
    #expect(report.record(of: other)?.skipKind == .notNeeded)
  }

  @Test func whatWasDisabledKeepsItsWordAndWhoNeedsItIsNotNeeded() async throws {
    let beta = pond.pebble("beta", .enabled { false }) {}
    let news = pond.pebble("news", when: beta.succeeded) {}

    let report = try await pond.run()

    #expect(report.record(of: beta)?.skipKind == .disabled)
    #expect(report.record(of: news)?.skipKind == .notNeeded)
  }

  @Test func whatWasCancelledKeepsItsWordAndTakesNoBlameAway() async throws {
    let pond = Pond("careful", onFailure: .cancelAll)
    let bad = pond.pebble("bad") { throw Breakdown() }
    let late = pond.pebble("late") {}
    late.ready = bad.failed && late.skipped
    let needing = pond.pebble("needing", when: bad.succeeded && late.succeeded) {}

    let report = try await pond.run()

    #expect(report.record(of: needing)?.skipKind == .blocked)
    #expect(report.record(of: late).map { [.blocked, .cancelled].contains($0.skipKind) } == true)
  }

  @Test(arguments: [PebbleStatus.skippedByCancellation, .skippedByHolder, .skippedByStall, .failed])
  func besideAFailureWhatWasHeldUpOrCancelledCountsAsBlocked(status: PebbleStatus) {
    let pond = ReferencePond(
      conditions: [
        .constant(true), .constant(true),
        .all([.atom(0, .succeeded, isNegated: false), .atom(1, .succeeded, isNegated: false)]),
      ], succeeds: [false, true, true])

    let blocked = BlockedPebbles(
      pond.compiled(smallestShared: 16).network, [.failed, status, .skippedByCondition]
    ) { _ in false }

    #expect(blocked.isBlocked(2))
    #expect(blocked.isFinal)
  }

  @Test func aLongChainIsJudgedWithoutRecursion() async throws {
    var last = bad
    for number in 0..<100_000 { last = pond.pebble("p\(number)", when: last.succeeded) {} }

    let report = try await pond.run()

    #expect(report.blocked.count == 100_000)
    #expect(report.isBlocked(last))
  }
}
