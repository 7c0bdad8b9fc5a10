import Foundation
import Pebbles
import PebblesAnalysis
import Synchronization
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for workers of two releases that serve the same task queue.
@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct DeploymentTests {
  private let id = UUID().uuidString

  /// A worker release, with its pond and the pebbles that it has renamed.
  private struct Release {
    let pond: Pond
    let newNames: [String: String]
  }

  /// Defines a pond with the given pebbles between pebbles that both releases have.
  private static func pond(_ names: [String], last: String) -> Pond {
    let pond = Pond("release")
    let body: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(20)) }
    var before = pond.pebble("first") { try await body() }
    for name in names { before = pond.pebble(name, needs: before) { _ in try await body() } }
    pond.pebble(last, when: before.succeeded) { try await body() }
    return pond
  }

  /// The old release. The new release renames one pebble, removes one, and adds one.
  private static let old = Release(
    pond: pond(["download", "convert", "store"], last: "publish"), newNames: [:])
  private static let new = Release(
    pond: pond(["fetch", "store", "index"], last: "publish"), newNames: ["download": "fetch"])

  private static func worker(
    _ release: Release, _ temporal: Temporal, _ options: TemporalRunOptions
  ) throws -> Task<Void, any Error> {
    let worker = try TemporalWorker(
      temporal, ponds: [release.pond], taskQueue: options.taskQueue,
      newNames: ["release": release.newNames])
    return Task { try await worker.run() }
  }

  /// Checks runs while releases are deployed and rolled back, so that workers of one or both
  /// releases are running at any time. Set the environment variable `DEPLOYED_RUNS` to change the
  /// number of runs.
  @Test func runsEndAsTheirOwnGraphSaysWhicheverReleaseIsThere() async throws {
    let count = ProcessInfo.processInfo.environment["DEPLOYED_RUNS"].flatMap { Int($0) } ?? 6
    var options = TemporalRunOptions()
    options.taskQueue = id
    let address = try await TemporalServer.shared.address()

    let runs = try await Temporal.connected(to: address, .quiet) { [id, options] temporal in
      var workers = [try Self.worker(Self.old, temporal, options)]
      defer { for worker in workers { worker.cancel() } }
      var started: [TemporalRun] = []
      for number in 0..<count {
        let pond = number.isMultiple(of: 2) ? Self.old.pond : Self.new.pond
        started.append(try await pond.start(on: temporal, id: "\(id)-\(number)", options))
      }
      // What each phase lasts is what it takes to ask after some of the runs.
      for release in [Self.new, Self.old, Self.new, Self.old] {
        workers.append(try Self.worker(release, temporal, options))
        for run in started.shuffled().prefix(6) { _ = try await run.status() }
        let gone = workers.removeFirst()
        gone.cancel()
        try await gone.value
        for run in started.shuffled().prefix(6) { _ = try await run.status() }
      }
      workers.append(try Self.worker(Self.new, temporal, options))
      var ended: [RecordedRun] = []
      for run in started { ended.append(try await run.report()) }
      return ended
    }

    #expect(runs.count == count)
    for (number, run) in runs.enumerated() {
      let pond = number.isMultiple(of: 2) ? Self.old.pond : Self.new.pond
      #expect(run.model.names == (try pond.model().names))
      #expect(run.isAllSucceeded, "\(run.failures.map { "\($0.name): \($0.outcome)" })")
    }
  }

  @Test func aWorkerThatIsCancelledBeforeItIsUpHasEndedWell() async throws {
    let address = try await TemporalServer.shared.address()
    try await Temporal.connected(to: address, .quiet) { [id] temporal in
      var options = TemporalRunOptions()
      options.taskQueue = id
      let worker = try Self.worker(Self.old, temporal, options)
      worker.cancel()
      try await worker.value
    }
  }

  @Test func aPebbleWaitsForAWorkerThatHasItAndThatIsNoAttempt() async throws {
    let attempts = Mutex<[Int]>([])
    let old = Pond("grown")
    old.pebble("first") {}
    let new = Pond("grown")
    let first = new.pebble("first") {}
    // Without a policy, it has one attempt.
    new.pebble("added", when: first.succeeded) {
      attempts.withLock { $0.append(PebbleContext.current?.attempt ?? 0) }
    }
    var options = TemporalRunOptions()
    options.taskQueue = id

    let address = try await TemporalServer.shared.address()
    let (run, waits) = try await Temporal.connected(to: address, .quiet) {
      [id, options] temporal in
      let before = try Self.worker(Release(pond: old, newNames: [:]), temporal, options)
      let run = try await new.start(on: temporal, id: id, options)
      var waits: String?
      while waits == nil { waits = try await run.status().calledAgain["added"] }
      let after = try Self.worker(Release(pond: new, newNames: [:]), temporal, options)
      let report = try await run.report()
      for worker in [before, after] {
        worker.cancel()
        try await worker.value
      }
      return (report, waits)
    }

    #expect(run.isAllSucceeded)
    #expect(attempts.withLock { $0 } == [1])
    #expect(waits?.contains("has no pebble \"added\"") == true)
  }

  @Test func aRunWhosePebbleNobodyHasCanBeCancelled() async throws {
    let old = Pond("shrunk")
    old.pebble("gone") {}
    let new = Pond("shrunk")
    new.pebble("other") {}

    let run = try await withWorkers([new]) { [id] temporal, options in
      let run = try await old.start(on: temporal, id: id, options)
      while try await run.status().calledAgain.isEmpty {}
      try await run.cancel()
      return try await run.report()
    }

    #expect(run.cancellation?.isOrderly == true)
    #expect(run.pebbles[0].outcome != .succeeded)
  }

  @Test func aRunThatNobodyCanReadCanBeCancelled() async throws {
    let pond = Pond("known")

    try await withWorkers([pond]) { [id] temporal, options in
      try await temporal.checkNamespace()
      _ = try await TemporalServer.shared.operate(
        "workflow", "start", "--type", "unknown", "--task-queue", options.taskQueue,
        "--workflow-id", id)
      let disturber = Disturber(temporal, id: id, seed: 0)
      try await disturber.waitUntilATaskCameBack()
      try await TemporalRun(temporal, id: id).cancel()
      while try await disturber.events().last?.eventType != .workflowExecutionCanceled {}
    }
  }

  /// Checks a run whose first worker did not answer in time, as on a very busy machine.
  @Test func aRunThatNobodyHasAnsweredForCanBeCancelled() async throws {
    let address = try await TemporalServer.shared.address()
    try await Temporal.connected(to: address, .quiet) { [id] temporal in
      try await temporal.checkNamespace()
      _ = try await TemporalServer.shared.operate(
        "workflow", "start", "--type", "unknown", "--task-queue", id, "--workflow-id", id,
        "--task-timeout", "1s")
      var request = TemporalPollWorkflowTaskQueueRequest()
      request.namespace = temporal.namespace
      request.identity = temporal.identity
      request.taskQueue = .normal(id)
      let _: TemporalPollWorkflowTaskQueueResponse? = await temporal.poll(
        "PollWorkflowTaskQueue", request)
      let disturber = Disturber(temporal, id: id, seed: 0)
      try await disturber.waitUntilATaskCameBack()
      var options = TemporalRunOptions()
      options.taskQueue = id
      let release = Release(pond: Pond("known"), newNames: [:])
      let worker = try Self.worker(release, temporal, options)
      try await TemporalRun(temporal, id: id).cancel()
      while try await disturber.events().last?.eventType != .workflowExecutionCanceled {}
      #expect(try await !disturber.events().contains { $0.eventType == .workflowTaskFailed })
      worker.cancel()
      try await worker.value
    }
  }

  @Test func aGraphThatAWorkerCannotReadWaitsForAnother() async throws {
    let pond = Pond("future")
    pond.pebble("p") {}
    var options = TemporalRunOptions()
    options.taskQueue = id
    var future = Temporal.Options.quiet
    future.codec = FutureCodec()

    let address = try await TemporalServer.shared.address()
    let run = try await Temporal.connected(to: address, .quiet) { [id, options, future] past in
      let worker = try Self.worker(Release(pond: pond, newNames: [:]), past, options)
      return try await Temporal.connected(to: address, future) { temporal in
        let run = try await pond.start(on: temporal, id: id, options)
        let disturber = Disturber(temporal, id: id, seed: 0)
        try await disturber.waitUntilATaskCameBack()
        // Were both there, it would be up to the server which of them is asked next, and each time
        // that it is the first one, the next time is twice as late.
        worker.cancel()
        try await worker.value
        let other = try Self.worker(Release(pond: pond, newNames: [:]), temporal, options)
        let report = try await run.report()
        other.cancel()
        try await other.value
        return report
      }
    }

    #expect(run.isAllSucceeded)
  }
}

/// A codec whose payloads only the same codec can decode.
private struct FutureCodec: PayloadCodec {
  private let mark: UInt8 = 0xFF

  func encode(_ payload: EncodedPayload) -> EncodedPayload {
    EncodedPayload(metadata: payload.metadata, data: [mark] + payload.data)
  }

  func decode(_ payload: EncodedPayload) -> EncodedPayload {
    EncodedPayload(metadata: payload.metadata, data: Array(payload.data.dropFirst()))
  }
}
