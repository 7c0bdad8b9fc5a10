import ArgumentParser
import Foundation

/// A program that runs random rounds and checks the result of each one. Most rounds use a pond of
/// thirty pebbles, and the ponds together use most features of runs. Every eighth round resumes the
/// runs of a smaller pond instead.
@main
struct Soak: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Runs random rounds on ponds of thirty pebbles that use most features of runs.",
    discussion: """
      Every round is drawn from the seed and its number. What comes of it depends on timing as \
      well, so a round that has failed may have to be repeated: --seed 7 --only 4711 --runs 1000.
      """)

  @Option(help: "How many rounds to run, each with a run at least.")
  var runs = 100_000

  @Option(help: "The seed; a random one if not given.")
  var seed: UInt64?

  @Option(help: "Run only the round of this number, again and again.")
  var only: Int?

  func validate() throws {
    if runs < 1 { throw ValidationError("Run at least one round.") }
  }

  func run() async throws {
    let seed = seed ?? .random(in: 0...999_999)
    print("\(runs) rounds with the seed \(seed)")
    SoakSignal.ignoreUnlessWatched()
    let watchdog = Watchdog()
    var memory = Growth.ofMemory(rounds: runs)
    var threads = Growth.ofThreads(rounds: runs)
    let start = ContinuousClock.now

    for run in 0..<runs {
      let number = only ?? run
      let name = "--seed \(seed) --only \(number)"
      watchdog.roundBegins(name)
      // Every eighth round resumes runs.
      let violations =
        number % 8 == 7
        ? await ResumptionRound(seed: seed, number: number).run()
        : await SoakRound(SoakPlan(seed: seed, number: number)).run()
      guard violations.isEmpty else {
        let sentences = violations.map { "  - \($0)" }.joined(separator: "\n")
        print("FAILED after \(run) rounds: \(name)\n\(sentences)")
        throw ExitCode.failure
      }
      memory.roundEnded(run + 1)
      threads.roundEnded(run + 1)
      if (run + 1).isMultiple(of: max(1, runs / 20)) {
        print("\(run + 1) rounds in \(ContinuousClock.now - start), \(ResidentMemory.text)")
      }
    }
    print(memory.summary)
    print(threads.summary)
    if memory.isGrowing || threads.isGrowing { throw ExitCode.failure }
  }
}
