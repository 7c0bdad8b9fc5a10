import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite struct JitterTests {
  private let wait = Duration.seconds(60)

  @Test func withoutJitterWaitsAreAsTheyAre() {
    var jitter = Jitter.none

    #expect(jitter.randomized(wait) == wait)
  }

  @Test(arguments: 0..<20)
  func fullJitterStaysBetweenZeroAndTheWait(seed: UInt64) {
    var jitter = Jitter.full(using: SeededGenerator(seed: seed))

    #expect(someWaits.allSatisfy { (.zero...$0).contains(jitter.randomized($0)) })
  }

  @Test(arguments: 0..<20)
  func equalJitterStaysBetweenHalfAndAllOfTheWait(seed: UInt64) {
    var jitter = Jitter.equal(using: SeededGenerator(seed: seed))

    #expect(someWaits.allSatisfy { ($0 / 2...$0).contains(jitter.randomized($0)) })
  }

  @Test func fullJitterIsSpreadEvenly() {
    var jitter = Jitter.full(using: SeededGenerator(seed: 2015))

    let tenths = (0..<10_000).reduce(into: Array(repeating: 0, count: 10)) { tenths, _ in
      tenths[Int(10 * (jitter.randomized(wait) / wait))] += 1
    }

    #expect(tenths.allSatisfy { (900...1_100).contains($0) })
  }

  @Test func equalJitterIsSpreadEvenlyOverTheUpperHalf() {
    var jitter = Jitter.equal(using: SeededGenerator(seed: 2015))

    let tenths = (0..<10_000).reduce(into: Array(repeating: 0, count: 10)) { tenths, _ in
      tenths[Int(10 * (jitter.randomized(wait) / wait))] += 1
    }

    #expect(tenths[..<5].allSatisfy { $0 == 0 })
    #expect(tenths[5...].allSatisfy { (1_800...2_200).contains($0) })
  }

  @Test(arguments: [
    (UInt64.min, Duration.zero, Duration.seconds(30)),
    (1 << 63, .seconds(30), .seconds(45)),
    (3 << 62, .seconds(45), .milliseconds(52_500)),
  ])
  func oneNumberIsDrawnPerWait(number: UInt64, full: Duration, equal: Duration) {
    var fullJitter = Jitter.full(using: ConstantGenerator(number: number))
    var equalJitter = Jitter.equal(using: ConstantGenerator(number: number))

    #expect(fullJitter.randomized(wait) == full)
    #expect(equalJitter.randomized(wait) == equal)
  }

  @Test func theLargestNumberGivesAllButTheWholeWait() {
    var jitter = Jitter.full(using: ConstantGenerator(number: .max))

    #expect(jitter.randomized(wait) < wait)
    #expect(jitter.randomized(wait) > wait - .nanoseconds(1))
  }

  @Test func jitterIsAppliedToTheCappedWait() {
    let half = ConstantGenerator(number: 1 << 63)
    let policy = RetryPolicy.backoff(
      attempts: 5, initial: .seconds(1), maximum: .seconds(3), jitter: .full(using: half))

    // A random wait must not become the base of the next one.
    #expect(
      policy.delays(afterFailures: 5) == [
        .milliseconds(500), .seconds(1), .milliseconds(1_500), .milliseconds(1_500),
      ])
  }

  @Test func everyScheduleGetsItsOwnCopyOfTheGenerator() {
    for jitter in [Jitter.full(using: SeededGenerator(seed: 7)), .equal(using: seeded)] {
      let policy = RetryPolicy.backoff(attempts: 50, initial: .seconds(1), jitter: jitter)

      let delays = policy.delays(afterFailures: 50)

      #expect(Set(delays).count == 49)
      #expect(policy.delays(afterFailures: 50) == delays)
    }
  }

  @Test func theSystemsGeneratorDiffersBetweenSchedules() {
    let policy = RetryPolicy.backoff(attempts: 50, initial: .seconds(1))

    #expect(policy.delays(afterFailures: 50) != policy.delays(afterFailures: 50))
  }

  private let seeded = SeededGenerator(seed: 8)

  private var someWaits: [Duration] {
    let attoseconds: [Int128] = [0, 1, 2, 3, 5, 1 << 64, .max]
    return attoseconds.map(Duration.init(attoseconds:))
      + (0..<1_000).map { .milliseconds($0 * $0) }
  }
}

/// A generator that always returns the same number. The number leads to one end of the range, or is
/// one that rejection sampling would reject forever.
private struct ConstantGenerator: RandomNumberGenerator {
  let number: UInt64

  mutating func next() -> UInt64 { number }
}
