import Foundation
import Pebbles
import PebblesAnalysis
import PebblesDurable
import TemporalWire
import Testing

@testable import PebblesTemporal

@Suite struct RunReplayTests {
  private let pond = Pond("nightly")

  private func diamond() -> Pond {
    let fetch = pond.pebble("fetch") { [1] }
    let store = pond.pebble("store", .timeout(.seconds(30)), needs: fetch) { $0.count }
    let index = pond.pebble("index", .priority(2), needs: fetch) { $0.count }
    pond.pebble("publish", needs: store, index.result) { _, _ in }
    pond.pebble("roll back", when: index.failed || store.failed) {}
    return pond
  }

  // MARK: - A run

  @Test func whatIsReadyIsScheduledOnceAndWithItsInputs() throws {
    let history = try HistoryMaker(diamond())

    #expect(try history.decide() == ["fetch"])
    #expect(try history.decide() == [])
    try history.start("fetch")
    #expect(try history.decide() == [])
    try history.succeed("fetch", "[1,2]")
    #expect(try history.decide() == ["index", "store"])

    let store = try #require(history.scheduled["store"]).body
    #expect(store.manifest.inputs == [.init(pebble: "fetch", output: 0)])
    #expect(store.outputs.map { String(decoding: $0.data, as: UTF8.self) } == ["[1,2]"])
    #expect(store.timeout == .seconds(30))
    #expect(store.summary == "fetch.succeeded")
    #expect(store.isCalledAgain)
    #expect(history.scheduled["index"]?.body.priority == 2)
  }

  @Test func anEndIsToldWithTheTimesAtWhichBodiesWereCalled() throws {
    let history = try HistoryMaker(diamond())
    try history.decide()  // 1 s
    try history.start("fetch", attempt: 2, after: "no route")  // 2 s
    try history.succeed("fetch", "[]")  // 3 s
    try history.decide()  // 4 s, 5 s
    try history.succeed("store", "0")  // 6 s
    try history.succeed("index", "0")  // 7 s
    try history.decide()  // 8 s
    try history.start("publish")  // 9 s
    try history.succeed("publish")  // 10 s

    #expect(try history.decide() == ["completed"])
    let run = try #require(history.replay.recorded())
    #expect(run.pebbles.map(\.outcome.isCompleted) == [true, true, true, true, false])
    #expect(run.makespan == .seconds(10))
    // When it was called first, nobody knows any more.
    #expect(run.pebbles[0].started == .seconds(1))
    #expect(run.pebbles[0].attempts.map(\.started) == [.seconds(1), .seconds(2)])
    #expect(
      run.pebbles[0].attempts[0].error == "1 earlier call, the last of which ended with: no route")
    #expect(run.pebbles[3].started == .seconds(9))
    #expect(try RecordedRun(json: run.json()).pebbles == run.pebbles)
  }

  @Test func aFailureThatIsHandledIsACompletedRun() throws {
    let history = try HistoryMaker(diamond())
    try history.decide()
    try history.succeed("fetch", "[]")
    try history.decide()
    try history.fail("store", "the disk is full")
    try history.succeed("index", "0")
    #expect(try history.decide() == ["roll back"])
    try history.succeed("roll back")

    #expect(try history.decide() == ["completed"])
  }

  @Test func aFailureThatNobodyHandlesIsAFailedRun() throws {
    pond.pebble("fetch") {}
    let history = try HistoryMaker(pond)
    try history.decide()
    try history.lose("fetch")

    let end = try #require(try history.decide().first)
    #expect(end.hasPrefix("failed: "))
    #expect(end.contains("fetch failed: its worker was lost"))
  }

  @Test func outcomesOtherThanSuccessAreInTheManifest() throws {
    let fetch = pond.pebble("fetch") { 1 }
    let never = pond.pebble("never", when: .never) { 2 }
    let nothing = pond.pebble("nothing") {}
    pond.pebble("tell", needs: fetch.result, never.outcome, nothing) { _, _, _ in }
    let history = try HistoryMaker(pond)
    try history.decide()
    try history.fail("fetch", "no route")
    try history.succeed("nothing")
    try history.decide()

    let body = try #require(history.scheduled["tell"]).body
    #expect(
      body.manifest.inputs == [
        .init(pebble: "fetch", error: RecordedError("no route")),
        .init(pebble: "never", skip: .conditionFalse(decidedBy: nil)), .init(pebble: "nothing"),
      ])
    let outcomes = try body.manifest.outcomes(body.outputs)
    #expect(outcomes["fetch"] == .failed(RecordedError("no route")))
    #expect(outcomes["never"] == .skipped(.conditionFalse(decidedBy: nil)))
    #expect(outcomes["nothing"] == .succeeded(nil))
  }

  @Test func aManifestThatPromisesTooMuchIsRefused() {
    let manifest = BodyManifest(inputs: [.init(pebble: "fetch", output: 1)])

    #expect(throws: ReplayError.self) { try manifest.outcomes([TemporalPayload()]) }
  }

  // MARK: - Cancellation

  @Test func cancellingARunCancelsWhatRunsOnce() throws {
    let history = try HistoryMaker(diamond())
    try history.decide()
    try history.succeed("fetch", "[]")
    try history.decide()
    try history.requestCancel()

    #expect(try history.decide() == ["cancel", "cancel"])
    #expect(try history.decide() == [])
    try history.cancelled("store")
    try history.succeed("index", "0")
    #expect(try history.decide() == ["cancelled"])
    let run = try #require(history.replay.recorded())
    #expect(run.cancellation?.isOrderly == true)
    #expect(run.pebbles[4].outcome == .skipped(.cancelled))
  }

  @Test func aRunThatHasNotBegunIsCancelledAtOnce() throws {
    let history = try HistoryMaker(diamond())
    try history.requestCancel()

    #expect(try history.decide() == ["cancelled"])
  }

  @Test func aDeadlineCancels() throws {
    let history = try HistoryMaker(diamond()) { $0.within = 60_000 }

    #expect(try history.decide() == ["deadline 60.0 seconds", "fetch"])
    #expect(try history.decide() == [])
    try history.fireDeadline()
    #expect(try history.decide() == ["cancel"])
    try history.cancelled("fetch")
    #expect(try history.decide().first?.hasPrefix("failed: the run was cancelled") == true)
  }

  @Test func aPolicyCancels() throws {
    let strict = Pond("strict", onFailure: .cancelAll)
    strict.pebble("a") {}
    strict.pebble("b") {}
    let history = try HistoryMaker(strict)
    #expect(try history.decide() == ["a", "b"])
    try history.fail("a", "no route")

    #expect(try history.decide() == ["cancel"])
    try history.cancelled("b")
    #expect(try history.decide().first?.contains("no route") == true)
  }

  // MARK: - Limits

  @Test func noMoreIsUnderWayThanTheServerTakes() throws {
    for number in 0..<10 { pond.pebble("\(number)") {} }
    let history = try HistoryMaker(pond) { $0.mostPending = 4 }

    #expect(try history.decide() == ["0", "1", "2", "3"])
    #expect(try history.decide() == [])
    try history.succeed("2")
    try history.succeed("0")
    #expect(try history.decide() == ["4", "5"])
  }

  @Test func aLimitBelowNoneIsNone() throws {
    pond.pebble("a") {}
    let history = try HistoryMaker(pond) { $0.mostPending = .min }
    var scheduled = TemporalHistoryEvent()
    scheduled.eventID = 2
    scheduled.activityTaskScheduledEventAttributes.activityID = "a"

    try history.replay.apply(scheduled)

    #expect(history.replay.decisions().isEmpty)
  }

  @Test func ofThreeThousandTheServerIsSentNineteenHundred() throws {
    for number in 0..<3_000 { pond.pebble("\(number)") {} }
    let history = try HistoryMaker(pond)

    #expect(try history.decide().count == 1_900)
    #expect(try history.decide() == [])
    for number in 0..<1_900 { try history.succeed("\(number)") }
    #expect(try history.decide().count == 1_100)
  }

  @Test func aRecordThatIsTooLargeIsNotSent() async throws {
    let writer = CommandWriter(taskQueue: "ponds", codec: PlainPayloads())

    for (size, count) in [(100, 2), (3_000_000, 1)] {
      let result = RunResult("all is well", [UInt8](repeating: 32, count: size))
      let command = try await writer.command(.end(.completed), result: result, eager: false)
      let payloads = command.completeWorkflowExecutionCommandAttributes.result.payloads
      #expect(payloads.count == count)
      #expect(payloads.first.map { String(decoding: $0.data, as: UTF8.self) } == "\"all is well\"")
    }
  }

  @Test func inputsThatAreTooLargeFailTheirPebble() throws {
    let large = pond.pebble("large") { "" }
    let read = pond.pebble("read", needs: large) { $0 }
    pond.pebble("after", when: read.failed) {}
    let history = try HistoryMaker(pond) { $0.largestPayload = 10 }
    try history.decide()
    try history.succeed("large", "\"0123456789\"")

    #expect(try history.decide() == ["after"])
    guard case .failed(let error)? = history.replay.scheduler.outcome(of: 1) else {
      Issue.record("what is too large was not refused")
      return
    }
    #expect("\(error)".hasPrefix("its inputs have 122 bytes together, more than the limit of 10"))
    #expect(try history.anew().decisions().map(\.words) == [])
  }

  /// Checks various priorities, including the smallest and the largest integer, because a graph may
  /// come from an untrusted source.
  @Test(arguments: [(Int.min, Int32(5)), (-1, 4), (1, 2), (.max, 1)])
  func prioritiesAreThoseOfTheServer(priority: Int, key: Int32) async throws {
    pond.pebble("p", .priority(priority)) {}
    let writer = CommandWriter(taskQueue: "ponds", codec: PlainPayloads())
    let decision = try #require(try HistoryMaker(pond).replay.decisions().first)

    let command = try await writer.command(decision, result: nil, eager: false)

    #expect(command.scheduleActivityTaskCommandAttributes.priority.priorityKey == key)
  }

  /// Checks the server's time limit. It is more than twice the pebble's timeout, because a worker
  /// may wait as long again for a late body before the next attempt.
  @Test func theServerWaitsForAsLongAsACallMayTake() async throws {
    pond.pebble("p", .timeout(.seconds(600)), .retry(.attempts(3))) {}
    let writer = CommandWriter(taskQueue: "ponds", codec: PlainPayloads())
    let decision = try #require(try HistoryMaker(pond).replay.decisions().first)

    let command = try await writer.command(decision, result: nil, eager: false)

    let limit = command.scheduleActivityTaskCommandAttributes.startToCloseTimeout.duration
    #expect(limit == .seconds(1_230))
  }

  @Test func theDeadlineCountsFromTheStartHoweverLateAWorkerComes() throws {
    pond.pebble("p") {}
    let history = try HistoryMaker(pond) { $0.within = 5_000 }
    try history.note { $0.eventType = .unspecified }

    #expect(try history.decide() == ["deadline 4.0 seconds", "p"])
  }

  @Test func theStatusOfAnyRunFitsIntoAnAnswer() throws {
    for number in 0..<300 { pond.pebble("\(number)") {} }
    let history = try HistoryMaker(pond)
    try history.decide()
    for number in 0..<300 { try history.fail("\(number)", String(repeating: "路", count: 9_000)) }
    let status = history.replay.status

    #expect(status.failedCount == 300)
    #expect(status.failed.count == 100)
    #expect(try JSONEncoder().encode(status).count < 1 << 20)
    #expect("\(status)".hasPrefix("\(pond.name) has ended: 0 succeeded, 300 failed"))
  }

  @Test func theStatusTellsWhatRuns() throws {
    let history = try HistoryMaker(diamond())
    try history.decide()
    try history.fail("fetch", "no route")
    let status = history.replay.status

    #expect(status.failed == ["fetch": "no route"])
    #expect(status.skipped == 4)
    #expect(status.running == [])
    #expect("\(status)".contains("fetch failed: no route"))
  }
}
