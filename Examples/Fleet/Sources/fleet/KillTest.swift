import ArgumentParser
import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTemporal

/// A pond with failures, retries and decisions. Its bodies take long enough for workers to be
/// killed while running them.
enum KillTestPond {
  struct Failure: Error {}

  static func make() -> Pond {
    let pond = Pond("kill-test", maxConcurrent: 6)
    var last: [Pebble<Int>] = []
    for layer in 0..<4 {
      last = (0..<3).map { place in
        let name = "layer \(layer)/\(place)"
        let first = last.first
        let isFailing = layer == 1 && place == 1
        return pond.pebble(
          name, .retry(.attempts(21)), when: first?.succeeded ?? .always
        ) {
          try await Task.sleep(for: .milliseconds(100))
          if isFailing { throw Failure() }
          return layer
        }
      }
    }
    let isWell = Condition.all(last.map(\.succeeded))
    pond.pebble("publish", when: isWell) {}
    pond.pebble("roll back", when: !isWell) {}
    return pond
  }
}

struct KillTestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kill-test",
    abstract: "Kills workers while runs go on, and checks that the runs end as expected.")

  @OptionGroup var server: ServerOptions

  @Option(help: "How many runs.")
  var runs = 20

  @Option(help: "How many workers are started and killed; with 0, those of --queue are left alone.")
  var workers = 3

  @Option(help: "How long a worker is left alone, in milliseconds.")
  var every = 1_000

  func validate() throws {
    try ValidationError.refuse("--runs", runs, below: 1)
    try ValidationError.refuse("--workers", workers, below: 0)
    try ValidationError.refuse("--every", every, below: 1)
  }

  func run() async throws {
    let queue = workers > 0 ? "kill-test-\(UUID().uuidString)" : server.queue
    let pond = KillTestPond.make()
    let expected = try await pond.run().recorded().pebbles.map(\.outcome.isSuccess)
    let processes = WorkerProcesses(
      arguments: ["worker", "--queue", queue] + server.arguments)
    for _ in 0..<workers { try processes.start() }
    // Also ends workers that are being started at that time.
    defer { processes.endAll() }
    let killer = Task { [every] in
      while (try? await Task.sleep(for: .milliseconds(every))) != nil {
        try processes.killOne()
      }
    }
    let (wrong, calls) = try await server.connected { [runs] temporal in
      try await Self.outcomes(of: runs, on: temporal, queue, pond, expected)
    }
    killer.cancel()
    print("\(runs) runs ended, \(wrong) of them wrongly; \(processes.killed) workers killed")
    print("\(calls) of \(runs * expected.count) bodies were called more than once")
    if wrong > 0 { throw ExitCode.failure }
  }

  /// Runs the pond `count` times concurrently. Returns the number of runs that did not end as
  /// expected, and the number of bodies that were called more than once.
  private static func outcomes(
    of count: Int, on temporal: Temporal, _ queue: String, _ pond: Pond, _ expected: [Bool]
  ) async throws -> (wrong: Int, calledAgain: Int) {
    var options = TemporalRunOptions()
    options.taskQueue = queue
    options.heartbeat = .seconds(2)
    return try await withThrowingTaskGroup(of: (Bool, Int).self) { [options] group in
      for _ in 0..<count {
        group.addTask {
          let run = try await pond.run(on: temporal, id: UUID().uuidString, options)
          let isRight = run.pebbles.map(\.outcome.isSuccess) == expected
          return (isRight, run.pebbles.count { $0.attempts.count > 1 })
        }
      }
      return try await group.reduce(into: (0, 0)) { sum, run in
        sum.0 += run.0 ? 0 : 1
        sum.1 += run.1
      }
    }
  }
}

extension RecordedOutcome {
  fileprivate var isSuccess: Bool { self == .succeeded }
}
