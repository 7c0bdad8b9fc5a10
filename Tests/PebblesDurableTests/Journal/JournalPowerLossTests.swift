import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles
@testable import PebblesDurable

/// Tests of runs whose file system loses all or some of the data that was not synced when power is
/// lost. Each run loses power up to four times.
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

  /// Checks that no data is recorded as synced after a failed sync. Data may be missing from the
  /// disk, even if everything written later can be synced.
  @Test func nothingIsSaidToBeOnTheDiskOnceSomethingCouldNotBeSynced() async throws {
    let (disk, pond) = (try FlakyDisk(), Pond("written"))
    pond.pebble("work", teardown: {}) {}
    let writer = JournalWriter(
      try SystemFile("\(disk.path)/journal"),
      JournaledOutputs(program: pond.program(), coder: JSONOutputs(), largest: 100), { 0 },
      .beginning(JournalHeader(run: "written", syncs: true, pond: Array("{}".utf8))))
    await writer.runBegan(RunBeginning(targets: nil, disabled: [], given: [:]))

    disk.breaks()
    await writer.bodyEnded(
      RunProgress.End(
        0, succeeded: true, CaseSet(), nil, started: 0, finished: 1, wasCancelled: false))
    disk.isMended()
    for _ in 0..<2 { await writer.tornDown(0, nil, at: 2) }

    let words = try JournalText(at: "\(disk.path)/journal").words
    #expect(
      words == [
        "process", "began", "synced", "ended work", "tornDown work", "tornDown work",
      ])
  }
}
