import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the changes that the table of a comparison omits because they are negligible, and of
/// the way in which it shows very large changes.
@Suite struct ComparisonNoiseTests {
  private let pond = Pond("boot")

  @Test func aPebbleThatTookNoTimeHasNoRatio() throws {
    pond.pebble("load") {}
    let before = try pond.simulated(durations: [0])

    let comparison = try pond.simulated(durations: [5]).compared(to: before)

    #expect(comparison.slower.map(\.difference) == [.nanoseconds(5)])
    #expect(comparison.slower.map(\.ratio) == [nil])
  }

  /// Checks that the effect of the named pebbles on the makespan is mentioned if it is at least a
  /// thousandth of the makespan, and is omitted otherwise.
  @Test(arguments: [(100_000, true), (99_999, false)])
  func whatIsNamedAboveMovesTheMakespanByAThousandth(_ more: UInt64, _ isTold: Bool) throws {
    pond.pebble("load") {}
    let before = try pond.simulated(durations: [100_000_000 - more])
    let after = try pond.simulated(durations: [100_000_000]) { $0.failures = [0: "refused"] }

    let text = try after.compared(to: before).description

    #expect(text.contains("failed (refused)"))
    #expect(text.contains("those named above") == isTold)
  }

  @Test(arguments: [(1, true), (0, false)])
  func aGapOfAThousandthOfTheMakespanIsTold(_ gap: Int, _ isTold: Bool) throws {
    pond.pebble("load") {}
    let before = try run(startedAt: 0, until: 1_000)

    let text = try run(startedAt: gap, until: 1_000).compared(to: before).description

    #expect(text.contains("between pebbles") == isTold)
  }

  @Test(arguments: [
    (1_000, "0 ns"), (1_001, "+1 ns, +0.1%"), (100_000, "+99.0 µs, +9900.0%"),
    (1_000_999, "+1.00 ms, +99999.9%"), (1_001_000, "+1.00 ms, 1001 times"),
    (999_999_000, "+1.00 s, 999999 times"), (1_000_000_000, "+1.00 s, over a million times"),
  ])
  func aChangeIsToldInPercentOrAsHowManyTimes(_ after: UInt64, _ change: String) throws {
    pond.pebble("load") {}
    let before = try pond.simulated(durations: [1_000])

    let text = try pond.simulated(durations: [after]).compared(to: before).description

    #expect(text.prefix { $0 != "\n" }.hasSuffix("(\(change))"), "\(text)")
  }

  /// Checks that a percentage is omitted if it would be rounded to zero, which would contradict the
  /// change next to it.
  @Test(arguments: [
    (1_000_499, "+499 ns"), (999_501, "−499 ns"), (1_000_501, "+501 ns, +0.1%"),
    (999_499, "−501 ns, −0.1%"),
  ])
  func aPercentageThatRoundsToNothingIsNotTold(_ after: UInt64, _ change: String) throws {
    pond.pebble("load") {}
    let before = try pond.simulated(durations: [1_000_000])

    let text = try pond.simulated(durations: [after]).compared(to: before).description

    #expect(text.prefix { $0 != "\n" }.hasSuffix("(\(change))"), "\(text)")
  }

  private func run(startedAt start: Int, until end: Int) throws -> RecordedRun {
    let load = RecordedPebble(
      name: "load", outcome: .succeeded, ready: .zero, started: .nanoseconds(start),
      finished: .nanoseconds(end))
    return try RecordedRun(
      model: pond.model(), pebbles: [load], makespan: .nanoseconds(end))
  }
}
