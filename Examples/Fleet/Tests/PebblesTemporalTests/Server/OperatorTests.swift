import Foundation
import Nightly
import Pebbles
import PebblesAnalysis
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for actions that an operator can perform on a run, such as updates, signals and resets.
@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct OperatorTests {
  private let id = UUID().uuidString

  /// A pond with failures, a retry and a decision. Its bodies take long enough to be disturbed
  /// while they are running.
  private static let pond: Pond = {
    let pond = Pond("disturbed", maxConcurrent: 3)
    let first = pond.pebble("first") { try await Task.sleep(for: .milliseconds(30)) }
    let middle = (0..<6).map { number in
      pond.pebble(
        "middle \(number)", .retry(.backoff(attempts: 2, initial: .milliseconds(10))),
        when: first.succeeded
      ) {
        try await Task.sleep(for: .milliseconds(30))
        let attempt = PebbleContext.current?.attempt ?? 1
        if number == 4 || number == 2 && attempt == 1 { throw Failing() }
      }
    }
    let isWell = Condition.all(middle.map(\.succeeded))
    pond.pebble("publish", when: isWell) {}
    pond.pebble("roll back", when: !isWell) { try await Task.sleep(for: .milliseconds(30)) }
    return pond
  }()

  /// Checks that disturbed runs end as expected. Set the environment variable `DISTURBED_RUNS` to
  /// change the number of runs.
  @Test func runsEndAsIfNobodyHadDisturbedThem() async throws {
    let count = ProcessInfo.processInfo.environment["DISTURBED_RUNS"].flatMap { Int($0) } ?? 50
    let expected = try await Self.pond.run().recorded().pebbles.map(\.outcome.word)

    let runs = try await withWorkers([Self.pond], count: 2, slots: 8) { [id] temporal, options in
      let restarts = Task {
        // A third worker comes and goes, with what it has in its cache.
        while !Task.isCancelled {
          let worker = try TemporalWorker(
            temporal, ponds: [Self.pond], taskQueue: options.taskQueue, slots: 4)
          let work = Task { try await worker.run() }
          for _ in 0..<20 { _ = try? await TemporalRun(temporal, id: "\(id)-0").status() }
          work.cancel()
          try await work.value
        }
      }
      defer { restarts.cancel() }
      return try await withThrowingTaskGroup(of: (RecordedRun, Bool).self) { group in
        for number in 0..<count {
          group.addTask {
            let disturber = Disturber(temporal, id: "\(id)-\(number)", seed: UInt64(number))
            _ = try await Self.pond.start(on: temporal, id: "\(id)-\(number)", options)
            let isCancelled = await disturber.disturb()
            return (try await TemporalRun(temporal, id: "\(id)-\(number)").report(), isCancelled)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }

    #expect(runs.count == count)
    for (run, isCancelled) in runs where !isCancelled || run.cancellation == nil {
      #expect(run.pebbles.map(\.outcome.word) == expected)
      #expect(run.cancellation == nil)
    }
  }

  @Test func anUpdateIsRejectedWithASentenceAndNothingIsLost() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let pond = Pond("updated")
    let first = pond.pebble("first") { for await _ in gate {} }
    pond.pebble("second", when: first.succeeded) {}

    let run = try await withWorkers([pond]) { [id] temporal, options in
      let run = try await pond.start(on: temporal, id: id, options)
      while try await run.status().running.isEmpty {}
      let disturber = Disturber(temporal, id: id, seed: 0)
      for _ in 0..<3 {
        let sentence = try await disturber.update()
        #expect(sentence?.contains("a pond takes no updates") == true)
      }
      try await disturber.signal()
      _ = try await disturber.update()
      open.finish()
      return try await run.report()
    }

    #expect(run.isAllSucceeded)
  }

  @Test func aCancellationBehindAnUpdateIsNotLost() async throws {
    let pond = Pond("cancelled")
    let first = pond.pebble("first") { for await _ in AsyncStream(Never.self, { _ in }) {} }
    pond.pebble("second", when: first.settled) {}

    let run = try await withWorkers([pond]) { [id] temporal, options in
      var options = options
      options.heartbeat = .seconds(1)
      let run = try await pond.start(on: temporal, id: id, options)
      while try await run.status().running.isEmpty {}
      let disturber = Disturber(temporal, id: id, seed: 0)
      try await disturber.signal()
      _ = try await disturber.update()
      try await run.cancel()
      return try await run.report()
    }

    #expect(run.cancellation?.isOrderly == true)
    #expect(run.pebbles[1].outcome == .skipped(.cancelled))
  }

  /// Checks that a reset does not change the keys under which the bodies of a run store values.
  @Test func aRunThatIsResetAtAnyDecisionPublishesAsBefore() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nightly-\(id)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = LaunchStore(folder: folder)
    let load = NightlyLoad(try .bundled(), store)

    let runs = try await withWorkers([load.pond]) { [id] temporal, options in
      let disturber = Disturber(temporal, id: id, seed: 0)
      var runs = [try await load.pond.run(on: temporal, id: id, options)]
      let decisions = try await disturber.events()
        .filter { $0.eventType == .workflowTaskCompleted }
      for decision in decisions {
        // Not all are such that the server can go back to them.
        try? await disturber.reset(to: decision)
        runs.append(try await TemporalRun(temporal, id: id).report())
      }
      return runs
    }

    #expect(runs.count > 3)
    for run in runs { #expect(run.succeeded(load.publish)) }
    let folderOfRun = try #require(try store.published()?.run)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: folderOfRun).path)
    #expect(files.contains("launches.json"))
  }

  // MARK: - Started by the server's own program

  @Test func aRunThatIsStartedWithoutAGraphHasTheOneOfItsWorker() async throws {
    let pond = Pond("started by hand")
    let load = pond.pebble("load") { 7 }
    pond.pebble("fail", needs: load) { _ in throw Failing() }

    let (run, listed) = try await withWorkers([pond]) { [id] temporal, options in
      let server = TemporalServer.shared
      try await temporal.checkNamespace()
      _ = try await server.operate(
        "workflow", "start", "--type", pond.name, "--task-queue", options.taskQueue,
        "--workflow-id", id)
      let run = try await TemporalRun(temporal, id: id).report()
      return (run, try await server.operate("workflow", "describe", "-w", id, "-o", "json"))
    }

    #expect(run.model.names == ["load", "fail"])
    #expect(run.pebbles.map(\.outcome.word) == ["succeeded", "failed"])
    #expect(listed.contains("\"outcome\""))
    #expect(listed.contains("started by hand"))
    #expect(listed.contains("1 succeeded, 1 failed in"))
    #expect(listed.contains("fail: it was to fail"))
  }

  @Test func aScheduleRunsAPond() async throws {
    let (called, calls) = AsyncStream.makeStream(of: String.self)
    let pond = Pond("scheduled")
    pond.pebble("p") { calls.yield(PebbleContext.current?.runIdentifier.description ?? "") }

    let name = try await withWorkers([pond]) { [id] temporal, options in
      let server = TemporalServer.shared
      try await temporal.checkNamespace()
      _ = try await server.operate(
        "schedule", "create", "--schedule-id", id, "--interval", "1h", "--type", pond.name,
        "--task-queue", options.taskQueue, "--workflow-id", "scheduled-\(id)")
      _ = try await server.operate("schedule", "trigger", "--schedule-id", id)
      for await name in called {
        _ = try await server.operate("schedule", "delete", "--schedule-id", id)
        return name
      }
      return ""
    }

    #expect(name.hasPrefix("scheduled-\(id)"))
  }
}

/// A simulated operator that performs various actions on a run.
struct Disturber {
  private let temporal: Temporal
  private let id: String
  private let seed: UInt64

  init(_ temporal: Temporal, id: String, seed: UInt64) {
    self.temporal = temporal
    self.id = id
    self.seed = seed
  }

  private var execution: TemporalWorkflowExecution {
    var execution = TemporalWorkflowExecution()
    execution.workflowID = id
    return execution
  }

  /// Disturbs the run several times. Actions that fail because the run has ended are ignored.
  ///
  /// - Returns: Whether the run was cancelled.
  func disturb() async -> Bool {
    var generator = SeededGenerator(seed: seed)
    var isCancelled = false
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      do {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...3: _ = try await update()
        case 4:
          async let first = update()
          async let second = update()
          _ = try await (first, second)
        case 5, 6: try await signal()
        case 7, 8, 9: _ = try await TemporalRun(temporal, id: id).status()
        case 10: try await reset(&generator)
        default:
          guard seed.isMultiple(of: 5) else { continue }
          isCancelled = true
          try await TemporalRun(temporal, id: id).cancel()
        }
      } catch {
        continue
      }
    }
    return isCancelled
  }

  /// Sends an update to the run.
  ///
  /// - Returns: The message with which the run rejected the update; `nil` if it was not rejected.
  func update() async throws -> String? {
    var request = TemporalUpdateWorkflowExecutionRequest()
    request.namespace = temporal.namespace
    request.workflowExecution = execution
    request.waitPolicy.lifecycleStage = .completed
    request.request.meta.updateID = UUID().uuidString
    request.request.meta.identity = temporal.identity
    request.request.input.name = "foo"
    let response: TemporalUpdateWorkflowExecutionResponse = try await temporal.call(
      "UpdateWorkflowExecution", request, within: .seconds(20), for: .wait)
    guard case .failure(let failure)? = response.outcome.value else { return nil }
    return failure.message
  }

  func signal() async throws {
    var request = TemporalSignalWorkflowExecutionRequest()
    request.namespace = temporal.namespace
    request.workflowExecution = execution
    request.signalName = "bar"
    request.identity = temporal.identity
    request.requestID = UUID().uuidString
    let _: TemporalSignalWorkflowExecutionResponse = try await temporal.call(
      "SignalWorkflowExecution", request)
  }

  /// Returns the events on the first page of the current history.
  func events() async throws -> [TemporalHistoryEvent] {
    var request = TemporalGetWorkflowExecutionHistoryRequest()
    request.namespace = temporal.namespace
    request.execution = execution
    let answer: TemporalGetWorkflowExecutionHistoryResponse = try await temporal.call(
      "GetWorkflowExecutionHistory", request)
    return answer.history.events
  }

  /// Waits until the history shows that a worker failed to answer a task of the run. A timeout
  /// counts as well as a failure, because the server records no failure that follows a timeout.
  func waitUntilATaskCameBack() async throws {
    while try await !events().contains(where: {
      $0.eventType == .workflowTaskFailed || $0.eventType == .workflowTaskTimedOut
    }) {}
  }

  /// Resets the run to one of its decisions, chosen at random.
  func reset(_ generator: inout SeededGenerator) async throws {
    let ends = try await events().filter { $0.eventType == .workflowTaskCompleted }
    if let end = ends.randomElement(using: &generator) { try await reset(to: end) }
  }

  /// Resets the run to one of its decisions.
  func reset(to end: TemporalHistoryEvent) async throws {
    var request = TemporalResetWorkflowExecutionRequest()
    request.namespace = temporal.namespace
    request.workflowExecution = execution
    request.reason = "a test"
    request.workflowTaskFinishEventID = end.eventID
    request.requestID = UUID().uuidString
    let _: TemporalResetWorkflowExecutionResponse = try await temporal.call(
      "ResetWorkflowExecution", request)
  }
}
