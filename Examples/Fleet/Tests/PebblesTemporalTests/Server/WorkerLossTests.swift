import Foundation
import Nightly
import Pebbles
import PebblesAnalysis
import Synchronization
import Testing

@testable import PebblesTemporal

/// Tests in which workers are killed. Each worker runs the program `fleet` in a separate process.
@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct WorkerLossTests {
  /// The location of the program, which is built in the same folder as the tests.
  private static let program = URL(filePath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "fleet")

  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "nightly-\(UUID().uuidString)")
  private let queue = UUID().uuidString

  private func worker(_ address: TemporalAddress, pace: Int) throws -> ChildProcess {
    try ChildProcess(
      Self.program.path,
      [
        "worker", "--address", "\(address)", "--queue", queue, "--folder", folder.path,
        "--pace", "\(pace)",
      ])
  }

  private var options: TemporalRunOptions {
    var options = TemporalRunOptions()
    options.taskQueue = queue
    options.heartbeat = .seconds(1)
    return options
  }

  /// Requests the status of a run until it satisfies a condition. No delay is needed between
  /// requests, because each takes some time.
  private func wait(
    for run: TemporalRun, until isSo: (FleetStatus) -> Bool
  ) async throws {
    while !isSo(try await run.status()) { try Task.checkCancellation() }
  }

  /// Checks a worker that is asked to stop while two bodies are running, for example to deploy a
  /// release. Only one of the bodies may be called again.
  @Test func whatMustNotBeCalledTwiceFailsWhenItsWorkerIsToldToEnd() async throws {
    let (begun, begins) = AsyncStream.makeStream(of: String.self)
    let calls = Mutex<[String: Int]>([:])
    let attempts = Mutex<Set<Int>>([])
    let pond = Pond("release")
    for name in ["pay", "mail"] {
      pond.pebble(name) {
        let isFirst = calls.withLock { calls in
          calls[name, default: 0] += 1
          return calls[name] == 1
        }
        begins.yield(name)
        _ = attempts.withLock { $0.insert(PebbleContext.current?.attempt ?? 0) }
        guard isFirst else { return }
        // Until the worker is told to end.
        for await _ in AsyncStream(Never.self, { _ in }) {}
        try Task.checkCancellation()
      }
    }
    var options = options
    options.failingOnWorkerLoss = [PebbleID.named("pay")]
    // Nobody is to be taken for lost, however busy the machine is.
    options.heartbeat = .seconds(60)

    let address = try await TemporalServer.shared.address()
    let run = try await Temporal.connected(to: address) { [options, queue] temporal in
      let first = Task {
        try await TemporalWorker(temporal, ponds: [pond], taskQueue: queue).run()
      }
      let run = try await pond.start(on: temporal, id: queue, options)
      var names: Set<String> = []
      for await name in begun where names.insert(name).inserted && names.count == 2 { break }
      first.cancel()
      try await first.value
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await TemporalWorker(temporal, ponds: [pond], taskQueue: queue).run()
        }
        defer { group.cancelAll() }
        return try await run.report()
      }
    }

    #expect(run.pebbles[0].outcome.text == "its worker was stopped")
    #expect(run.pebbles[1].outcome == .succeeded)
    #expect(calls.withLock { $0["pay"] } == 1)
    #expect(calls.withLock { $0["mail"] } == 2)
    // What the worker was told is no failure of the body.
    #expect(attempts.withLock { $0 } == [1])
  }

  @Test func aTeardownWhoseWorkerIsKilledIsCalledAgain() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let address = try await TemporalServer.shared.address()
    // Slow enough for its worker to be killed inside of everything it does.
    let first = try worker(address, pace: 1_500)
    let pond = NightlyLoad(try .bundled(), LaunchStore(folder: folder)).pond
    var options = options
    // Nobody is to be taken for lost who is only slow: a body of that worker would go on beside the
    // teardowns, and what it stores then would be left.
    options.heartbeat = .seconds(10)

    let run = try await Temporal.connected(to: address) { [options, queue] temporal in
      let run = try await pond.start(on: temporal, id: queue, options)
      try await wait(for: run) { $0.succeeded >= 2 }
      try await run.cancel()
      try await wait(for: run) { !$0.tearingDown.isEmpty }
      await first.kill()
      let second = try worker(address, pace: 0)
      let report = try await run.report()
      await second.kill()
      return report
    }

    let succeeded = run.pebbles.indices.filter { run.pebbles[$0].outcome == .succeeded }
    #expect(succeeded.count >= 2)
    #expect(run.shutdown?.teardowns.map(\.pebble).sorted() == succeeded)
    #expect(run.shutdown?.failures == [])
    let left = FileManager.default.subpaths(atPath: folder.path)
    #expect(left == [])
  }

  @Test func aBodyWhoseWorkerIsKilledIsCalledAgain() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let address = try await TemporalServer.shared.address()
    let first = try worker(address, pace: 3_000)
    let pond = NightlyLoad(try .bundled(), LaunchStore(folder: folder)).pond

    let run = try await Temporal.connected(to: address) { [options, queue] temporal in
      let run = try await pond.start(on: temporal, id: queue, options)
      try await wait(for: run) { !$0.running.isEmpty }
      await first.kill()
      let second = try worker(address, pace: 0)
      let report = try await run.report()
      await second.kill()
      return report
    }

    #expect(run.succeeded(.named("publish")))
    #expect(try run.exitCode == 0)
    #expect(try LaunchStore(folder: folder).published()?.count == 50)
  }
}
