import ArgumentParser
import Foundation

/// Plays random rounds on ponds of thirty pebbles that use all there is, and looks at each.
@main
struct Soak: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Plays random rounds on ponds of thirty pebbles that use all there is.",
    discussion: """
      Every round is drawn from the seed and its number. What comes of it depends on timing as \
      well, so a round that has failed may have to be repeated: --seed 7 --only 4711 --runs 1000.
      """)

  @Option(help: "How many rounds to play, each with a run at least.")
  var runs = 100_000

  @Option(help: "The seed; a random one if not given.")
  var seed: UInt64?

  @Option(help: "Play only the round of this number, again and again.")
  var only: Int?

  func validate() throws {
    if runs < 1 { throw ValidationError("Play at least one round.") }
  }

  func run() async throws {
    let seed = seed ?? .random(in: 0...999_999)
    print("\(runs) rounds with the seed \(seed)")
    SoakSignal.ignoreUnlessWatched()
    let watchdog = Watchdog()
    var memory = Growth.ofMemory(rounds: runs)
    var threads = Growth.ofThreads(rounds: runs)
    let start = ContinuousClock.now

    for played in 0..<runs {
      let number = only ?? played
      let name = "--seed \(seed) --only \(number)"
      watchdog.roundBegins(name)
      let violations = await SoakRound(SoakPlan(seed: seed, number: number)).play()
      guard violations.isEmpty else {
        let sentences = violations.map { "  - \($0)" }.joined(separator: "\n")
        print("FAILED after \(played) rounds: \(name)\n\(sentences)")
        throw ExitCode.failure
      }
      memory.roundEnded(played + 1)
      threads.roundEnded(played + 1)
      if (played + 1).isMultiple(of: max(1, runs / 20)) {
        print("\(played + 1) rounds in \(ContinuousClock.now - start), \(ResidentMemory.text)")
      }
    }
    print(memory.summary)
    print(threads.summary)
    if memory.isGrowing || threads.isGrowing { throw ExitCode.failure }
  }
}
