import Foundation
import PebblesTestSupport
import Testing

/// Real processes on a real file system that loses what was not synced, or half of it.
///
/// Of each run it is lost up to four times.
@Suite(
  .watched,
  .enabled(if: FlakyDisk.obstacle == nil, "\(FlakyDisk.obstacle ?? "")"), .serialized)
struct JournalPowerLossTests {
  @Test func aRunGoesOnAfterALossOfPowerAndHasLostNothingThatOthersDependOn() async throws {
    let problems = try await onOwnThread {
      var generator = SystemRandomNumberGenerator()
      return try (0..<Thoroughness.times(5)).flatMap { _ in
        let seed = UInt64.random(in: 0..<1 << 32, using: &generator)
        let whole = try KilledRun(seed: seed, ["--power-loss"])
        try whole.goOnToItsEnd()
        let run = try KilledRun(seed: seed, ["--power-loss"], on: FlakyDisk())
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let longest = max(run.journalLength, whole.journalLength)
          try run.isKilled(
            atLength: Int.random(in: run.journalLength...longest, using: &generator),
            after: .microseconds(Int.random(in: 0...2_000, using: &generator)))
        }
        try run.goOnToItsEnd()
        try run.compare(to: whole)
        return whole.problems + run.problems
      }
    }

    #expect(problems == [])
  }
}
