import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite struct RetryPolicyTests {
  private let longest = Duration.seconds(Int64.max)

  // MARK: - Counting attempts

  @Test(arguments: [1, 2, 4])
  func attemptsAreMadeAtOnceAndTheFirstCounts(attempts: Int) {
    let delays = RetryPolicy.attempts(attempts).delays(afterFailures: 10)

    #expect(delays == Array(repeating: .zero, count: attempts - 1))
  }

  @Test(arguments: [1, 2, 5])
  func backoffCountsTheFirstAttempt(attempts: Int) {
    let policy = RetryPolicy.backoff(attempts: attempts, initial: .seconds(1), jitter: .none)

    #expect(policy.delays(afterFailures: 10).count == attempts - 1)
  }

  @Test func hugeCountsAreOnlyLarge() {
    #expect(RetryPolicy.attempts(.max).delays(afterFailures: 1_000).count == 1_000)

    let patient = RetryPolicy.backoff(attempts: .max, initial: .seconds(1), jitter: .none)
    #expect(patient.delays(afterFailures: 1_000).count == 1_000)
  }

  @Test func everyScheduleCountsForItself() {
    let policy = RetryPolicy.attempts(3)
    var first = policy.makeRetries()
    var second = policy.makeRetries()

    #expect(first.delay(afterFailure: Breakdown()) == .zero)
    #expect(first.delay(afterFailure: Breakdown()) == .zero)
    #expect(first.delay(afterFailure: Breakdown()) == nil)
    #expect(second.delay(afterFailure: Breakdown()) == .zero)
  }

  // MARK: - Waits

  @Test func waitsGrowByTheFactorUpToTheMaximum() {
    let policy = RetryPolicy.backoff(
      attempts: 8, initial: .milliseconds(100), factor: 3, maximum: .seconds(10), jitter: .none)

    #expect(
      policy.delays(afterFailures: 8) == [
        .milliseconds(100), .milliseconds(300), .milliseconds(900), .milliseconds(2_700),
        .milliseconds(8_100), .seconds(10), .seconds(10),
      ])
  }

  @Test func waitsDoubleUpToAMinuteUnlessToldOtherwise() {
    let policy = RetryPolicy.backoff(attempts: 9, initial: .seconds(1), jitter: .none)

    let seconds = [1, 2, 4, 8, 16, 32, 60, 60]
    #expect(policy.delays(afterFailures: 9) == seconds.map { .seconds($0) })
  }

  @Test func aFactorOfOneWaitsEquallyLong() {
    let policy = RetryPolicy.backoff(
      attempts: 100, initial: .seconds(7), factor: 1, maximum: .seconds(7), jitter: .none)

    #expect(policy.delays(afterFailures: 100) == Array(repeating: .seconds(7), count: 99))
  }

  @Test func doublingIsExactUpToTheLongestWait() {
    let initial = Duration.nanoseconds(123_456_789_123) + Duration(attoseconds: 1)
    let policy = RetryPolicy.backoff(
      attempts: 100, initial: initial, maximum: longest, jitter: .none)

    var expected = initial
    for delay in policy.delays(afterFailures: 100) {
      #expect(delay == expected)
      expected = expected > longest / 2 ? longest : expected * 2
    }
    #expect(expected == longest)
  }

  @Test func aBrokenFactorRoundsEachWaitOnlyOnce() {
    let policy = RetryPolicy.backoff(
      attempts: 31, initial: .milliseconds(100), factor: 1.5, maximum: longest, jitter: .none)

    var (numerator, denominator): (Int128, Int128) = (Duration.milliseconds(100).attoseconds, 1)
    for delay in policy.delays(afterFailures: 30) {
      #expect(delay.attoseconds == numerator / denominator)
      (numerator, denominator) = (numerator * 3, denominator * 2)
    }
  }

  @Test(arguments: [
    (Duration(attoseconds: 1), 1.1), (.nanoseconds(1), 1.5), (.nanoseconds(1), 1.01),
    (.nanoseconds(3), 1.001), (.milliseconds(100), 2), (.seconds(59), 1e300),
  ])
  func waitsNeverShrinkAndReachTheMaximum(initial: Duration, factor: Double) {
    let policy = RetryPolicy.backoff(
      attempts: 30_000, initial: initial, factor: factor, jitter: .none)

    let delays = policy.delays(afterFailures: 30_000)

    #expect(delays.first == initial)
    #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(delays.last == .seconds(60))
  }

  @Test func theSmallestGrowthIsNotLost() {
    let policy = RetryPolicy.backoff(
      attempts: 1_000, initial: .seconds(1), factor: 1.0.nextUp, jitter: .none)

    let delays = policy.delays(afterFailures: 1_000)

    #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(arguments: [
    1.5, 2, 1e18, 0x1p63, 0x1p64, 0x1p126, 0x1p127, 0x1p128, 1e308, .greatestFiniteMagnitude,
  ])
  func growthSaturatesAtTheLongestDuration(factor: Double) {
    let hugest = Duration(attoseconds: .max)
    for initial in [Duration(attoseconds: 1), .seconds(1), longest, hugest] {
      let policy = RetryPolicy.backoff(
        attempts: 500, initial: initial, factor: factor, maximum: hugest, jitter: .none)

      let delays = policy.delays(afterFailures: 500)

      #expect(delays.first == initial)
      #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(delays.last == hugest)
    }
  }

  // MARK: - Equal waits

  @Test func aDelayIsWaitedBeforeEachFurtherAttempt() {
    let policy = RetryPolicy.attempts(4, delay: .seconds(90))

    #expect(policy.delays(afterFailures: 9) == Array(repeating: .seconds(90), count: 3))
    #expect(RetryPolicy.attempts(3, delay: .zero).delays(afterFailures: 9) == [.zero, .zero])
    #expect(policy.faults.isEmpty)
  }

  @Test func aNegativeDelayIsAFault() {
    #expect(
      RetryPolicy.attempts(0, delay: .seconds(-1)).faults == [
        "its attempt count is 0; it must be 1 or more, as the first attempt counts",
        "its delay is -1.0 seconds; it must be zero or longer",
      ])
  }

  // MARK: - The filter

  @Test func anErrorTheFilterRefusesIsFinal() {
    let policy = RetryPolicy.attempts(4, only: { ($0 as? Breakdown)?.description == "busy" })
    var schedule = policy.makeRetries()

    #expect(schedule.delay(afterFailure: Breakdown("busy")) == .zero)
    #expect(schedule.delay(afterFailure: Breakdown("forbidden")) == nil)
    #expect(schedule.delay(afterFailure: Breakdown("busy")) == nil)
  }

  @Test func theFilterOfABackoffIsAskedToo() {
    let policy = RetryPolicy.backoff(
      attempts: 3, initial: .seconds(1), jitter: .none, only: { $0 is Breakdown })
    var schedule = policy.makeRetries()

    #expect(schedule.delay(afterFailure: Breakdown()) == .seconds(1))
    #expect(schedule.delay(afterFailure: CancellationError()) == nil)
  }

  @Test func attemptsOfAnEarlierProcessCountForTheWaitsAsWell() {
    let policy = RetryPolicy.backoff(attempts: 5, initial: .seconds(1), jitter: .none)
    var schedule = policy.makeRetries()

    schedule.attemptsFailed(2)

    #expect(schedule.delay(afterFailure: Breakdown()) == .seconds(4))
    #expect(schedule.delay(afterFailure: Breakdown()) == .seconds(8))
    #expect(schedule.delay(afterFailure: Breakdown()) == nil)
  }

  @Test func theFilterIsNotAskedAfterTheLastAttempt() {
    let asked = Logbook<String>()
    let policy = RetryPolicy.attempts(3) { error in
      asked.note("\(error)")
      return true
    }
    var schedule = policy.makeRetries()

    for attempt in 1...4 { _ = schedule.delay(afterFailure: Breakdown("attempt \(attempt)")) }

    #expect(asked.entries == ["attempt 1", "attempt 2"])
  }

  @Test func aCancellationErrorIsAnErrorLikeAnyOther() {
    var schedule = RetryPolicy.attempts(2).makeRetries()

    #expect(schedule.delay(afterFailure: CancellationError()) == .zero)
  }
}

extension RetryPolicy {
  /// Returns the delays of one schedule, up to the first failure after which there is no retry.
  func delays(afterFailures failures: Int) -> [Duration] {
    var schedule = makeRetries()
    var delays: [Duration] = []
    for _ in 0..<failures {
      guard let delay = schedule.delay(afterFailure: Breakdown()) else { break }
      delays.append(delay)
    }
    return delays
  }
}
