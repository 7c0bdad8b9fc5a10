import Foundation
import Pebbles
import PebblesAnalysis
import Synchronization
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for cases and goals on a real server.
@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct CaseRunTests {
  private let id = UUID().uuidString

  private enum StoreError: Error { case busy, locked }
  private enum Side: String, CaseIterable, Codable { case heads, tails }

  /// Runs a pond, and returns the run and its history.
  private func run(
    _ pond: Pond
  ) async throws -> (run: RecordedRun, events: [TemporalHistoryEvent]) {
    try await withWorkers([pond]) { [id] temporal, options in
      let run = try await pond.run(on: temporal, id: id, options)
      return (run, try await Disturber(temporal, id: id, seed: 0).events())
    }
  }

  /// Returns a replay that is based only on the history, without closures.
  private func replay(_ events: [TemporalHistoryEvent]) async throws -> RunReplay {
    var execution = TemporalWorkflowExecution()
    execution.workflowID = id
    let replay = try await RunReplay.begin(events, execution, PlainPayloads())
    for event in events.dropFirst() { try replay.apply(event) }
    return replay
  }

  @Test func theFinalErrorDecidesBetweenTwoPebbles() async throws {
    let pond = Pond("store")
    let asked = Mutex<[String]>([])
    let database = pond.pebble("database", .retry(.attempts(2))) {
      throw PebbleContext.current?.attempt == 1 ? StoreError.busy : .locked
    }
    let locked = database.failed("locked") { error in
      asked.withLock { $0.append("\(error)") }
      return (error as? StoreError) == .locked
    }
    pond.pebble("unlock", when: locked) {}
    pond.pebble("repair", when: database.failed && !locked) {}

    let (run, events) = try await run(pond)

    #expect(asked.withLock { $0 } == ["locked"])
    #expect(run.pebbles.map(\.outcome.word) == ["failed", "succeeded", "skipped"])
    #expect(run.pebbles[0].cases == [.failed("locked")])
    #expect(try run.exitCode == 0)
    #expect(try await replay(events).recorded()?.pebbles == run.pebbles)
    #expect(asked.withLock { $0 } == ["locked"])
  }

  @Test func aValueDecides() async throws {
    let pond = Pond("flips")
    let flip = pond.pebble("flip") { Side.tails }
    pond.pebble("won", when: flip.is(.heads)) {}
    pond.pebble("lost", needs: flip, when: flip.is(.tails)) { side in
      guard side == .tails else { throw Failing() }
    }
    let ping = pond.pebble("ping") {}
    pond.pebble("pong", when: ping.succeeded("done") { _ in true }) {}
    pond.goal = .exactlyOne(of: flip.is(.heads), flip.is(.tails))

    let (run, events) = try await run(pond)

    #expect(run.pebbles.map(\.cases) == [[.is("tails")], [], [], [.succeeded("done")], []])
    #expect(
      run.pebbles.map(\.outcome.word) == [
        "succeeded", "skipped", "succeeded", "succeeded", "succeeded",
      ])
    #expect(try run.isGoalReached == true)
    #expect(try await replay(events).recorded()?.pebbles == run.pebbles)
  }

  @Test func itsOwnTimeIsACase() async throws {
    let pond = Pond("slow")
    let slow = pond.pebble("slow", .timeout(.milliseconds(50))) {
      try await Task.sleep(for: .seconds(3_600))
    }
    let any = slow.failed("any") { _ in true }
    pond.pebble("late", when: slow.timedOut && !any) {}

    let (run, _) = try await run(pond)

    #expect(run.pebbles[0].cases == [.timedOut])
    #expect(run.pebbles[1].outcome == .succeeded)
  }

  @Test func aGoalThatIsMissedFailsTheWorkflow() async throws {
    let pond = Pond("green")
    let fetch = pond.pebble("fetch") { throw Failing() }
    let publish = pond.pebble("publish", when: fetch.succeeded) {}
    pond.pebble("roll back", when: fetch.failed) {}
    pond.goal = publish.succeeded

    let (run, events) = try await run(pond)

    let failure = try #require(events.last).workflowExecutionFailedEventAttributes.failure
    #expect(
      failure.message.hasPrefix(
        "the pond \"green\": the goal was not reached: it needs publish to succeed"),
      "\(failure.message)")
    #expect(try run.exitCode == 1 && run.unhandledFailures.isEmpty)
    let shown = try await TemporalServer.shared.operate(
      "workflow", "describe", "--workflow-id", id)
    #expect(shown.contains("FAILED") || shown.contains("Failed"), "\(shown)")
  }

  @Test func whatIsCancelledIsNotAskedForItsGoal() async throws {
    let pond = Pond("stopped")
    let (started, begin) = AsyncStream.makeStream(of: Void.self)
    let slow = pond.pebble("slow") {
      begin.yield()
      try await Task.sleep(for: .seconds(3_600))
    }
    _ = slow.failed("cancelled") { $0 is CancellationError }
    pond.goal = slow.succeeded

    let (run, last) = try await withWorkers([pond]) { [id] temporal, options in
      let run = try await pond.start(on: temporal, id: id, options)
      for await _ in started { break }
      try await run.cancel()
      let report = try await run.report()
      return (report, try await Disturber(temporal, id: id, seed: 0).events().last)
    }

    #expect(last?.eventType == .workflowExecutionCanceled)
    // With the usual heartbeat: of a worker that is taken for lost, nothing is known.
    #expect(run.pebbles[0].cases == [.failed("cancelled")], "\(run.pebbles[0].outcome)")
    #expect(try run.isGoalReached == nil && run.exitCode == 0)
  }

  /// Checks a run with two workers, one of which has the pebble, but lacks the required case.
  @Test func aCaseWaitsForAWorkerThatHasIt() async throws {
    let (old, new) = (Pond("grown"), Pond("grown"))
    old.pebble("load") { 1 }
    let load = new.pebble("load") { 1 }
    new.pebble("many", when: load.succeeded("many") { $0 > 0 }) {}
    var options = TemporalRunOptions()
    options.taskQueue = id

    let address = try await TemporalServer.shared.address()
    let (run, waits) = try await Temporal.connected(to: address, .quiet) {
      [id, options] temporal in
      let before = try TemporalWorker(temporal, ponds: [old], taskQueue: options.taskQueue)
      let after = try TemporalWorker(temporal, ponds: [new], taskQueue: options.taskQueue)
      let first = Task { try await before.run() }
      let run = try await new.start(on: temporal, id: id, options)
      var waits: String?
      while waits == nil { waits = try await run.status().calledAgain["load"] }
      let second = Task { try await after.run() }
      let report = try await run.report()
      for worker in [first, second] {
        worker.cancel()
        try await worker.value
      }
      return (report, waits)
    }

    #expect(run.isAllSucceeded)
    #expect(run.pebbles[0].cases == [.succeeded("many")])
    #expect(waits?.contains("has no case succeeded(\"many\")") == true, "\(waits ?? "")")
  }
}
