import Testing

@testable import Pebbles

@Suite struct RetryFaultTests {
  @Test(arguments: [
    RetryPolicy.attempts(1), .attempts(4), .attempts(.max),
    .backoff(attempts: 1, initial: .seconds(1)),
    .backoff(attempts: .max, initial: .nanoseconds(1), factor: 1, maximum: .nanoseconds(1)),
    .backoff(attempts: 5, initial: .seconds(60), factor: 1e308),
    .backoff(attempts: 5, initial: .seconds(Int64.max), maximum: .seconds(Int64.max)),
  ])
  func aPolicyThatCanBeMeantHasNoFaults(policy: RetryPolicy) {
    #expect(policy.faults.isEmpty)
  }

  @Test(arguments: [0, -1, .min])
  func anAttemptCountBelowOneIsAFault(attempts: Int) {
    let policy = RetryPolicy.backoff(attempts: attempts, initial: .seconds(1))
    #expect(RetryPolicy.attempts(attempts).faults == policy.faults)

    #expect(
      policy.faults == [
        "its attempt count is \(attempts); it must be 1 or more, as the first attempt counts"
      ])
  }

  @Test(arguments: [(Duration.zero, "0.0 seconds"), (.milliseconds(-100), "-0.1 seconds")])
  func anInitialWaitThatIsNoWaitIsAFault(initial: Duration, text: String) {
    let policy = RetryPolicy.backoff(attempts: 5, initial: initial)

    #expect(
      policy.faults == [
        "its initial wait is \(text); it must be longer than zero, "
          + "or use .attempts(_:) to try again at once"
      ])
  }

  @Test(arguments: [
    (Double.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf"), (0.5, "0.5"), (0, "0.0"),
    (-2, "-2.0"), (1.0.nextDown, "0.9999999999999999"),
  ])
  func aFactorThatDoesNotGrowIsAFault(factor: Double, text: String) {
    let policy = RetryPolicy.backoff(attempts: 5, initial: .seconds(1), factor: factor)

    #expect(
      policy.faults == ["its backoff factor is \(text); it must be finite, and 1 or more"])
  }

  @Test(arguments: [(Duration.zero, "0.0 seconds"), (.seconds(-1), "-1.0 seconds")])
  func aMaximumWaitThatIsNoWaitIsAFault(maximum: Duration, text: String) {
    let policy = RetryPolicy.backoff(attempts: 5, initial: .seconds(1), maximum: maximum)

    #expect(policy.faults == ["its maximum wait is \(text); it must be longer than zero"])
  }

  @Test func aMaximumBelowTheInitialWaitIsAFault() {
    let policy = RetryPolicy.backoff(attempts: 5, initial: .seconds(90))

    #expect(
      policy.faults == [
        "its maximum wait of 60.0 seconds is shorter than its initial wait of 90.0 seconds; "
          + "raise one or lower the other"
      ])
  }

  @Test func allFaultsAreListed() {
    let policy = RetryPolicy.backoff(
      attempts: 0, initial: .seconds(-1), factor: .nan, maximum: .seconds(-2))

    #expect(policy.faults.count == 4)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1e308, -2, -0.0, 0, 0.3, 1, 1e308])
  func aFaultyPolicyNeitherTrapsNorWaitsForLessThanNothing(factor: Double) {
    let least = Duration(attoseconds: .min)
    let hugest = Duration(attoseconds: .max)
    let durations = [least, .seconds(Int64.min), .seconds(-1), .zero, .seconds(1), hugest]
    for initial in durations {
      for maximum in durations {
        for jitter in [Jitter.none, .full, .equal] {
          let policy = RetryPolicy.backoff(
            attempts: 50, initial: initial, factor: factor, maximum: maximum, jitter: jitter)
          _ = policy.faults
          #expect(policy.delays(afterFailures: 50).allSatisfy { $0 >= .zero })
        }
      }
    }
  }

  @Test(arguments: [0, -1, .min])
  func aFaultyCountAllowsNoRetry(count: Int) {
    #expect(RetryPolicy.attempts(count).delays(afterFailures: 3) == [])
    #expect(
      RetryPolicy.backoff(attempts: count, initial: .seconds(1)).delays(afterFailures: 3) == [])
  }
}
