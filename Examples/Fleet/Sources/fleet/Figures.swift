import ArgumentParser
import Foundation
import Pebbles
import PebblesTemporal

/// The ponds to measure, which correspond to the workflows that `Figures/figures.py` measures with
/// the official Python SDK.
enum FiguresPond {
  /// Returns a pond in which each pebble takes the output of the previous pebble. It has at least
  /// one pebble.
  static func chain(of count: Int) -> Pond {
    let pond = Pond("figures-chain")
    var last = pond.pebble("0") { 0 }
    for number in 1..<max(1, count) {
      last = pond.pebble("\(number)", needs: last) { $0 + 1 }
    }
    return pond
  }

  /// Returns a pond of independent pebbles.
  static func independent(_ count: Int) -> Pond {
    let pond = Pond("figures-independent")
    for number in 0..<count { pond.pebble("\(number)") { number } }
    return pond
  }
}

/// The options for the sizes of the ponds. All workers must use the same sizes.
struct FiguresOptions: ParsableArguments {
  @Option(help: "How many pebbles the chain has.")
  var chain = 100

  @Option(help: "How many pebbles are independent of each other.")
  var independent = 1_000

  func validate() throws {
    try ValidationError.refuse("--chain", chain, below: 1)
    try ValidationError.refuse("--independent", independent, below: 1)
  }

  var ponds: [Pond] { [FiguresPond.chain(of: chain), FiguresPond.independent(independent)] }
}

struct FiguresWorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "figures-worker", abstract: "Works for `fleet figures`.", shouldDisplay: false)

  @OptionGroup var server: ServerOptions
  @OptionGroup var sizes: FiguresOptions

  @Option(help: "How many bodies are called at a time.")
  var slots = 100

  func run() async throws {
    let ponds = sizes.ponds
    try await server.connected { [slots, queue = server.queue] temporal in
      try await TemporalWorker(temporal, ponds: ponds, taskQueue: queue, slots: slots).run()
    }
  }
}

struct FiguresCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "figures",
    abstract: "Measures runs on workers of its own; a line of JSON for each round.")

  @OptionGroup var server: ServerOptions
  @OptionGroup var sizes: FiguresOptions

  @Option(help: "How many workers.")
  var workers = 2

  @Option(help: "How often each run is measured; once more before that, to warm up.")
  var rounds = 1

  @Option(help: "How many runs go on at a time.")
  var atOnce = 1

  func validate() throws {
    try ValidationError.refuse("--workers", workers, below: 1)
    try ValidationError.refuse("--rounds", rounds, below: 1)
    try ValidationError.refuse("--at-once", atOnce, below: 1)
  }

  /// The results of a round, in seconds and bytes.
  private struct Round: Encodable {
    let sdk = "swift-pond"
    let chain: Double
    let independent: Double

    /// The peak memory of each worker so far, in bytes.
    let memory: [Int]
  }

  func run() async throws {
    let queue = "figures-\(UUID().uuidString)"
    let processes = WorkerProcesses(
      arguments: [
        "figures-worker", "--queue", queue, "--chain", "\(sizes.chain)", "--independent",
        "\(sizes.independent)",
      ] + server.arguments)
    for _ in 0..<workers { try processes.start() }
    defer { processes.endAll() }
    let ponds = sizes.ponds
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try await server.connected { [rounds, atOnce] temporal in
      for round in 0...rounds {
        let chain = try await Self.time(of: ponds[0], atOnce, on: temporal, queue)
        let independent = try await Self.time(of: ponds[1], atOnce, on: temporal, queue)
        let measured = Round(
          chain: chain, independent: independent, memory: processes.largestMemory())
        if round > 0 { print(String(decoding: try encoder.encode(measured), as: UTF8.self)) }
      }
    }
  }

  /// Returns the time in seconds from the start of several concurrent runs until a client has
  /// received all their reports.
  private static func time(
    of pond: Pond, _ count: Int, on temporal: Temporal, _ queue: String
  ) async throws -> Double {
    var options = TemporalRunOptions()
    options.taskQueue = queue
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { [options] group in
      for _ in 0..<count {
        group.addTask {
          let run = try await pond.run(on: temporal, id: UUID().uuidString, options)
          guard run.isAllSucceeded else { throw FiguresError(pond: pond.name) }
        }
      }
      try await group.waitForAll()
    }
    return (ContinuousClock.now - start) / .seconds(1)
  }
}

private struct FiguresError: Error, CustomStringConvertible {
  let pond: String

  var description: String { "the pond \(pond) did not succeed, so its time means nothing" }
}
