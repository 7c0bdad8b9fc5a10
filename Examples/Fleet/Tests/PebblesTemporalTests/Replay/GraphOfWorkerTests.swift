import Foundation
import Pebbles
import PebblesDurable
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for runs that were started without a graph, for example by a schedule.
@Suite struct GraphOfWorkerTests {
  private let pond = Pond("nightly")

  @Test func itIsWrittenDownBeforeAnythingElse() throws {
    let fetch = pond.pebble("fetch") {}
    pond.pebble("store", when: fetch.succeeded) {}
    let history = try HistoryMaker(pond, isGraphSent: false)

    #expect(try history.decide() == ["record the graph", "fetch"])
    #expect(try history.decide() == [])
    try history.succeed("fetch")
    #expect(try history.decide() == ["store"])
  }

  @Test func whatWasWrittenDownCountsWhateverTheNextWorkerHas() async throws {
    pond.pebble("fetch") {}
    let history = try HistoryMaker(pond, isGraphSent: false)
    try history.decide()
    let later = Pond("nightly")
    later.pebble("download") {}
    let own = RunInput(try later.model(), RunSettings())

    let replay = try await RunReplay.begin(
      history.events, HistoryMaker.execution, PlainPayloads()
    ) { _ in own }
    for event in history.events.dropFirst() { try replay.apply(event) }

    #expect(replay.names == ["fetch"])
    #expect(replay.decisions().map(\.words) == [])
  }

  /// Checks the value `null`, which SDKs and the server's command-line program send if no input is
  /// given.
  @Test func nullIsNoGraph() async throws {
    pond.pebble("fetch") {}
    let history = try HistoryMaker(pond, isGraphSent: false)
    var first = history.events[0]
    first.workflowExecutionStartedEventAttributes.input.payloads = [
      TemporalPayload(json: "null".utf8)
    ]
    let own = RunInput(try pond.model(), RunSettings())

    let replay = try await RunReplay.begin(
      [first], HistoryMaker.execution, PlainPayloads()
    ) { _ in own }

    #expect(replay.decisions().map(\.words) == ["record the graph", "fetch"])
  }

  @Test func aRunThatWasResetHasTheKeysThatItHad() async throws {
    pond.pebble("fetch") {}
    let history = try HistoryMaker(pond)
    var first = history.events[0]
    first.workflowExecutionStartedEventAttributes.originalExecutionRunID = "origin"

    let replay = try await RunReplay.begin([first], HistoryMaker.execution, PlainPayloads())
    guard case .schedule(let body)? = replay.decisions().first else {
      Issue.record("nothing is called")
      return
    }

    #expect(body.manifest.run == "nightly-17/origin")
    #expect(history.replay.run.description == "nightly-17/run")
  }

  @Test func aPondWithoutPebblesIsWrittenDownToo() throws {
    let history = try HistoryMaker(pond, isGraphSent: false)

    #expect(try history.decide() == ["record the graph", "completed"])
  }

  @Test func whoDoesNotHaveThePondSaysSo() async throws {
    let history = try HistoryMaker(pond, isGraphSent: false)

    let error = await #expect(throws: ReplayError.self) {
      _ = try await RunReplay.begin(history.events, HistoryMaker.execution, PlainPayloads())
    }
    #expect(error?.description.contains("no pond \"nightly\" here") == true)
  }

  @Test func aGraphThatTheServerWouldNotStoreBeginsNoRun() async throws {
    let name = String(repeating: "x", count: 990)
    for number in 0..<3_000 { pond.pebble("\(name)\(number)") {} }
    let hosted = try HostedPond(pond, newNames: [:])

    let error = await #expect(throws: TemporalError.self) {
      _ = try await hosted.input(JSONOutputs(), PlainPayloads())
    }

    #expect(error?.description.contains("more than the server stores") == true)
  }

  /// Checks events that do not directly follow the known ones. They occur because the server drops
  /// events of an update, and sends later events with the same numbers.
  @Test func eventsThatDoNotFollowAreNotTaken() async throws {
    pond.pebble("fetch") {}
    let history = try HistoryMaker(pond)
    try history.decide()
    try history.start("fetch")
    let replay = try await RunReplay.begin(
      history.events, HistoryMaker.execution, PlainPayloads())
    let run = CachedRun(replay)

    #expect(try await run.answer(to: Array(history.events[1...1])) != nil)
    #expect(try await run.answer(to: []) != nil)
    #expect(try await run.answer(to: Array(history.events[1...2])) == nil)
    #expect(try await run.answer(to: Array(history.events[2...2])) != nil)
  }

  @Test func theSummaryOfARunSaysWhatFailedFirst() throws {
    for name in ["a", "b", "c"] { pond.pebble(name) {} }
    let history = try HistoryMaker(pond)
    try history.decide()
    try history.succeed("a")
    try history.fail("c", "the disk is full")
    try history.fail("b", "no route")

    let result = RunResult(try #require(history.replay.recorded()))

    #expect(
      result.summary
        == "1 succeeded, 2 failed in 6.00 s; the first to fail: c: the disk is full")
  }

  @Test func theSummaryOfARunIsOneLineWhateverHasFailed() throws {
    pond.pebble("fetch\nall") {}
    let history = try HistoryMaker(pond)
    try history.decide()
    try history.fail("fetch\nall", "no route\nto the host")

    let summary = RunResult(try #require(history.replay.recorded())).summary

    #expect(summary.hasSuffix(#"; fetch\nall: no route\nto the host"#), "\(summary)")
  }
}
