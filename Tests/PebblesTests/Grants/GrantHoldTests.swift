import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

@Suite(.watched) struct GrantHoldTests {
  /// An event that can happen after the run has asked for a grant.
  enum Happening: CaseIterable {
    case answered
    case expired
    case expiredAgain
    case runEnded
    case runEndedAgain

    /// All permutations of the events.
    static var orders: [[Happening]] {
      allCases.reduce([[]]) { orders, happening in
        orders.flatMap { order in
          (0...order.count).map { place in
            Array(order[..<place]) + [happening] + order[place...]
          }
        }
      }
    }
  }

  @Test(arguments: [true, false])
  func inEveryOrderAGrantIsGivenBackOnceAndTheRunCancelledAtMostOnce(
    isGranting: Bool
  ) async throws {
    #expect(Happening.orders.count == 120)
    for order in Happening.orders {
      let outcome = await outcome(of: order, isGranting: isGranting)

      let expected = expectedOutcome(of: order, isGranting: isGranting)
      #expect(outcome == expected, "\(order)")
    }
  }

  private struct Outcome: Equatable {
    var cancellations = 0
    var hasExpired = false
    var ended: [Int] = []
    /// The total number of grants that had been released after each event.
    var endedAfter: [Int] = []
  }

  private func outcome(of order: [Happening], isGranting: Bool) async -> Outcome {
    let grant = ManualGrant()
    let cancellations = Logbook<Int>()
    let hold = GrantHold(grant, named: "boot") { cancellations.note(grant.ended.count) }
    let begin = Task { await hold.begin() }
    await grant.wasAsked()

    var outcome = Outcome()
    for happening in order {
      switch happening {
      case .answered:
        grant.answer(isGranting ? 1 : nil)
        await begin.value
      case .expired, .expiredAgain:
        grant.expire()
      case .runEnded, .runEndedAgain:
        hold.runEnded()
      }
      outcome.endedAfter.append(grant.ended.count)
    }

    // A run is cancelled before its grant is given back.
    #expect(cancellations.entries.allSatisfy { $0 == 0 })
    outcome.cancellations = cancellations.count
    outcome.hasExpired = hold.hasExpired
    outcome.ended = grant.ended.entries
    return outcome
  }

  /// Returns the expected outcome, computed from a second statement of the rule: A grant is
  /// released once it has been obtained and is no longer needed. The run is cancelled only if the
  /// grant expires before the end of the run, and was not refused before.
  private func expectedOutcome(of order: [Happening], isGranting: Bool) -> Outcome {
    var isAnswered = false
    var isNeedless = false
    var expected = Outcome()
    for happening in order {
      switch happening {
      case .answered:
        isAnswered = true
      case .expired, .expiredAgain:
        let isRefused = isAnswered && !isGranting
        if !isNeedless, !isRefused {
          expected.cancellations = 1
          expected.hasExpired = true
        }
        isNeedless = true
      case .runEnded, .runEndedAgain:
        isNeedless = true
      }
      expected.endedAfter.append(isGranting && isAnswered && isNeedless ? 1 : 0)
    }
    expected.ended = isGranting ? [1] : []
    return expected
  }

  @Test func theGrantIsAskedForByName() async {
    let grant = ManualGrant()
    grant.answer(1)
    let hold = GrantHold(grant, named: "boot") {}

    await hold.begin()

    #expect(grant.names.entries == ["boot"])
    #expect(grant.ended.count == 0)
    hold.runEnded()
    #expect(grant.ended.entries == [1])
  }

  @Test func theGrantIsAskedForOnce() async {
    let grant = ManualGrant()
    grant.answer(1)
    let hold = GrantHold(grant, named: "boot") {}

    await hold.begin()
    await hold.begin()
    hold.runEnded()
    await hold.begin()

    #expect(grant.names.entries == ["boot"])
    #expect(grant.ended.entries == [1])
  }

  @Test func aRunThatEndedBeforeItAskedDoesNotAsk() async {
    let grant = ManualGrant()
    grant.answer(1)
    let hold = GrantHold(grant, named: "boot") {}

    hold.runEnded()
    await hold.begin()

    #expect(grant.names.count == 0)
  }

  @Test(arguments: [true, false])
  func theTimeMayBeUpAtOnce(isGranting: Bool) async {
    let grant = ManualGrant(expiresAtOnce: true)
    grant.answer(isGranting ? 1 : nil)
    let cancellations = Logbook<Void>()
    let hold = GrantHold(grant, named: "boot") { cancellations.note(()) }

    await hold.begin()

    #expect(cancellations.count == 1)
    #expect(hold.hasExpired)
    #expect(grant.ended.entries == (isGranting ? [1] : []))
    hold.runEnded()
    #expect(grant.ended.count == (isGranting ? 1 : 0))
  }

  @Test func theRunMayEndOutOfItsCancellation() async {
    let grant = ManualGrant()
    grant.answer(1)
    let later = Mutex<GrantHold?>(nil)
    let hold = GrantHold(grant, named: "boot") { later.withLock { $0 }?.runEnded() }
    later.withLock { $0 = hold }

    await hold.begin()
    grant.expire()

    #expect(grant.ended.entries == [1])
    later.withLock { $0 = nil }
  }

  @Test func aHoldThatIsForgottenGivesTheGrantBack() async {
    let grant = ManualGrant()
    grant.answer(1)
    let cancellations = Logbook<Void>()
    do {
      let hold = GrantHold(grant, named: "boot") { cancellations.note(()) }
      await hold.begin()
    }

    #expect(grant.ended.entries == [1])
    grant.expire()
    #expect(cancellations.count == 0)
    #expect(grant.ended.entries == [1])
  }

  @Test(arguments: Happening.allCases)
  func theRunIsLetGoOfWithTheGrant(_ last: Happening) async {
    let grant = ManualGrant()
    grant.answer(last == .answered ? nil : 1)
    weak var run: Gate?
    let hold: GrantHold
    do {
      let strong = Gate()
      run = strong
      hold = GrantHold(grant, named: "boot") { strong.open() }
    }
    #expect(run != nil)

    await hold.begin()
    switch last {
    case .answered: break
    case .expired, .expiredAgain: grant.expire()
    case .runEnded, .runEndedAgain: hold.runEnded()
    }

    #expect(run == nil)
    hold.runEnded()
  }

  @Test func expiryAndEndMayComeAtTheSameTime() async {
    for _ in 0..<500 {
      let grant = ManualGrant()
      let cancellations = Logbook<Void>()
      let hold = GrantHold(grant, named: "boot") { cancellations.note(()) }

      await withTaskGroup { group in
        group.addTask { await hold.begin() }
        await grant.wasAsked()
        group.addTask { grant.answer(1) }
        group.addTask { grant.expire() }
        group.addTask { hold.runEnded() }
      }

      #expect(grant.ended.entries == [1])
      #expect(cancellations.count == (hold.hasExpired ? 1 : 0))
    }
  }
}
