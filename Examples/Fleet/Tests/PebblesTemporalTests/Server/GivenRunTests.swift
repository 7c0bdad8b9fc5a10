import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for runs on a real server that have given values or are limited to a part of their pond.
@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct GivenRunTests {
  private enum Kind: String, CaseIterable, Codable { case full, update }

  private let id = UUID().uuidString
  private let pond = Pond("load")
  private let day: Pebble<String>
  private let kind: Pebble<Kind>

  init() {
    day = pond.given("day", String.self)
    kind = pond.given("kind", default: .update)
  }

  private func define() {
    let fetched = pond.pebble("fetch", needs: day, kind) { day, kind in "\(kind) of \(day)" }
    pond.pebble("clear", when: kind.is(.full)) {}
    pond.pebble("index", needs: fetched) { "index of the \($0)" }
    pond.pebble("report", needs: fetched) { $0 }
  }

  @Test func bodiesReadItAndItsCasesDecide() async throws {
    define()

    let (runs, events) = try await withWorkers([pond], count: 2) { [self] temporal, options in
      let given = [day.value("Monday"), kind.value(.full)]
      let full = try await pond.run(on: temporal, id: id, given: given, options)
      let events = try await Disturber(temporal, id: id, seed: 0).events()
      let update = try await pond.run(
        on: temporal, id: id, given: [day.value("Tuesday")], options)
      return ([full, update], events)
    }

    let words = runs.map { $0.pebbles.map(\.outcome.word) }
    #expect(words[0] == Array(repeating: "succeeded", count: 6))
    #expect(words[1][3] == "skipped" && Set(words[1]) == ["succeeded", "skipped"])
    #expect(runs[0].pebbles[1].cases == [.is("full")])
    #expect(runs[0].pebbles[0].attempts.isEmpty && runs[0].model.isGiven(at: 0))
    // Decided again without a closure, and without the values.
    var execution = TemporalWorkflowExecution()
    execution.workflowID = id
    let replay = try await RunReplay.begin(events, execution, PlainPayloads())
    for event in events.dropFirst() { try replay.apply(event) }
    #expect(replay.recorded()?.pebbles == runs[0].pebbles)
    let outputs = events.compactMap { event -> String? in
      guard case .activityTaskCompletedEventAttributes(let completed)? = event.attributes else {
        return nil
      }
      return completed.result.payloads.first.map { String(decoding: $0.data, as: UTF8.self) }
    }
    #expect(outputs.contains("\"full of Monday\""))
    #expect(outputs.contains("\"index of the full of Monday\""))
  }

  @Test func aRunInPartCallsNothingElse() async throws {
    define()

    let run = try await withWorkers([pond]) { [self] temporal, options in
      try await pond.run(
        on: temporal, id: id, given: [day.value("Monday")], only: [.named("index")], options)
    }

    #expect(run.pebbles.map(\.outcome.isSucceeded) == [true, true, true, false, true, false])
    #expect(run.pebbles[5].outcome == .skipped(.notAskedFor))
  }

  @Test func whatIsMissingIsSaidBeforeAnythingStarts() async throws {
    define()

    try await withWorkers([pond]) { [self] temporal, options in
      let error = await #expect(throws: PondError.self) {
        try await pond.start(on: temporal, id: id, options)
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("no value for \"day\""))
      await #expect(throws: TemporalError.self) { try await TemporalRun(temporal, id: id).status() }
    }
  }

  /// Checks a run that is started without a graph, for example by a schedule.
  @Test func whatIsStartedWithoutAGraphIsGivenTheDefaults() async throws {
    pond.pebble("never", when: day.failed) {}
    let nightly = Pond("nightly")
    let size = nightly.given("size", default: 20)
    nightly.pebble("large", when: size.succeeded("large") { $0 > 10 }) {}
    nightly.pebble("doubled", needs: size) { 2 * $0 }

    let run = try await withWorkers([pond, nightly]) { [id] temporal, options in
      try await temporal.checkNamespace()
      _ = try await TemporalServer.shared.operate(
        "workflow", "start", "--type", "nightly", "--task-queue", options.taskQueue,
        "--workflow-id", id)
      return try await TemporalRun(temporal, id: id).report()
    }

    #expect(run.pebbles.allSatisfy { $0.outcome == .succeeded })
    #expect(run.pebbles[0].cases == [.succeeded("large")])
  }
}
