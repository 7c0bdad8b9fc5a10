import Foundation
import PebblesTestSupport
import Testing

/// Tests of runs whose processes the system kills at any point, each up to four times.
@Suite(.watched) struct JournalKillTests {
  @Test func aRunThatIsKilledGoesOnAsIfItHadNotBeen() async throws {
    let problems = try await Self.problems(ofRuns: Thoroughness.times(10), [])

    #expect(problems == [])
  }

  @Test func soDoesOneThatIsToSurviveTheLossOfPower() async throws {
    let problems = try await Self.problems(ofRuns: Thoroughness.times(3), ["--power-loss"])

    #expect(problems == [])
  }

  @Test func oneThatAFailureCancelsGoesOnAndIsTornDownOnce() async throws {
    let problems = try await Self.problems(ofRuns: Thoroughness.times(3), ["--cancel-all"])

    #expect(problems == [])
  }

  @Test func aRunGoesOnThatDiesRightAfterAnythingThatItsBodiesDo() async throws {
    let step = Thoroughness.isFull ? 1 : 5
    let problems = try await onOwnThread {
      let whole = try KilledRun(seed: 1, [])
      try whole.goOnToItsEnd()
      return try stride(from: 1, through: whole.effects.count, by: step).flatMap { number in
        let run = try KilledRun(seed: 1, [])
        try run.dies(afterEffects: number)
        try run.dies(afterEffects: 1)
        try run.goOnToItsEnd()
        try run.compare(to: whole)
        return run.problems
      }
    }

    #expect(problems == [])
  }

  private static func problems(
    ofRuns count: Int, _ options: [String]
  ) async throws -> [String] {
    try await onOwnThread {
      var generator = SystemRandomNumberGenerator()
      return try (0..<count).flatMap { _ in
        let seed = UInt64.random(in: 0..<1 << 32, using: &generator)
        let whole = try KilledRun(seed: seed, options)
        try whole.goOnToItsEnd()
        let run = try KilledRun(seed: seed, options)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          try kill(run, sooner: whole, using: &generator)
        }
        try run.goOnToItsEnd()
        try run.compare(to: whole)
        return whole.problems + run.problems
      }
    }
  }

  /// Starts the next process of a run, which is killed before the run ends. The process is killed
  /// from outside, or kills itself after a number of effects.
  private static func kill(
    _ run: KilledRun, sooner whole: KilledRun, using generator: inout some RandomNumberGenerator
  ) throws {
    if Int.random(in: 0..<4, using: &generator) == 0 {
      let count = Int.random(in: 1...max(1, whole.effects.count), using: &generator)
      try run.dies(afterEffects: count)
    } else {
      let length = Int.random(in: run.journalLength...max(run.journalLength, whole.journalLength))
      let moment = Duration.microseconds(Int.random(in: 0...300, using: &generator))
      try run.isKilled(atLength: length, after: moment)
    }
  }
}
