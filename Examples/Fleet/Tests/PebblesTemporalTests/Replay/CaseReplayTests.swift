import Foundation
import Pebbles
import PebblesAnalysis
import PebblesDurable
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for cases in a history. The replay has no closures, because it is created from the encoded
/// input.
@Suite struct CaseReplayTests {
  private let pond = Pond("boot")

  private enum StoreError: Error { case locked, corrupt }
  private enum Side: String, CaseIterable, Codable { case heads, tails }

  private func store(_ traits: PebbleTrait...) -> Pond {
    let database = pond.pebble("database", .traits(traits)) { throw StoreError.corrupt }
    let locked = database.failed("locked") { ($0 as? StoreError) == .locked }
    pond.pebble("unlock", when: locked) {}
    pond.pebble("repair", when: database.failed && !locked && !database.timedOut) {}
    pond.pebble("wait", when: database.timedOut) {}
    return pond
  }

  private func problem(_ call: () throws -> Void) -> String {
    do { try call() } catch { return "\(error)" }
    return ""
  }

  // MARK: - Deciding

  @Test(arguments: [([PebbleCase.failed("locked")], "unlock"), ([], "repair")])
  func anErrorDecidesBetweenTwoPebbles(cases: [PebbleCase], next: String) throws {
    let history = try HistoryMaker(store())
    try history.decide()
    try history.fail("database", "no", cases: cases)

    #expect(try history.anew().decisions().map(\.words) == [next])
    #expect(try history.decide() == [next])
    try history.succeed(next)
    #expect(try history.decide() == ["completed"])
    let run = try #require(history.replay.recorded())
    #expect(run.pebbles[0].cases == cases)
    #expect(try history.anew().recorded()?.pebbles == run.pebbles)
    #expect(try RecordedRun(json: run.json()).pebbles == run.pebbles)
  }

  @Test(arguments: ["heads", "tails"]) func aValueDecidesAndIsHandedOn(side: String) throws {
    let flip = pond.pebble("flip") { Side.heads }
    pond.pebble("heads", needs: flip, when: flip.is(.heads)) { _ in }
    pond.pebble("tails", needs: flip, when: flip.is(.tails)) { _ in }
    let history = try HistoryMaker(pond)
    try history.decide()
    try history.succeed("flip", "\"\(side)\"", cases: [.is(side)])

    #expect(try history.decide() == [side])
    let body = try #require(history.scheduled[side]).body
    #expect(
      try body.manifest.outcomes(body.outputs)
        == ["flip": .succeeded(Array("\"\(side)\"".utf8))])
  }

  @Test func whereThereIsNoOutputCasesStandAlone() throws {
    let ping = pond.pebble("ping") {}
    let fast = ping.succeeded("fast") { _ in true }
    pond.pebble("go", needs: ping, when: fast) {}
    let history = try HistoryMaker(pond)
    try history.decide()
    try history.succeed("ping", cases: [.succeeded("fast")])

    #expect(try history.decide() == ["go"])
    #expect(history.scheduled["go"]?.body.manifest.inputs == [.init(pebble: "ping")])
    #expect(history.scheduled["go"]?.body.outputs == [])
  }

  // MARK: - What no body has said

  @Test func ofALostWorkerNoCaseHolds() throws {
    let history = try HistoryMaker(store(.timeout(.seconds(5))))
    try history.decide()
    try history.lose("database")

    #expect(try history.decide() == ["repair"])
  }

  /// Checks that a server timeout counts as the pebble's timeout, if the pebble has one.
  @Test func theServersTimeLimitIsThePebbles() throws {
    let history = try HistoryMaker(store(.timeout(.seconds(5))))
    try history.decide()
    try history.lose("database", for: .startToClose)

    #expect(try history.decide() == ["wait"])
    #expect(history.replay.status.description.contains("database timed out: "))
  }

  @Test(arguments: [TemporalTimeoutType.startToClose, .scheduleToClose, .scheduleToStart])
  func aTimeLimitThatIsNotThePebblesIsNoTimeout(_ type: TemporalTimeoutType) throws {
    let history = try HistoryMaker(store())
    try history.decide()
    try history.lose("database", for: type)

    #expect(try history.decide() == ["repair"])
  }

  /// Checks a timeout that is enforced by the worker.
  @Test func aTimeoutIsACaseLikeAnyOther() throws {
    let history = try HistoryMaker(store(.timeout(.seconds(5))))
    try history.decide()
    try history.fail("database", "it did not end in time", cases: [.timedOut])

    #expect(try history.decide() == ["wait"])
  }

  /// Checks that no case holds if the call found no worker, was stopped, failed outside the body or
  /// was abandoned by the server, or if an operator or the server reported the failure.
  @Test func whereNoBodyHasFailedNoCaseHolds() throws {
    let (noWorker, stopped) = (TemporalFailure.noWorker, TemporalFailure.workerStopped)
    var byHand = TemporalFailure()
    byHand.applicationFailureInfo.nonRetryable = true
    let failures: [TemporalFailure] = [
      .application("no worker", type: noWorker, isFinal: true),
      .application("stopped", type: stopped, isFinal: false),
      .application("too large", type: TemporalFailure.callFailed, isFinal: true),
      .application("again", type: "Failing", isFinal: false), byHand, TemporalFailure(),
    ]
    _ = store()
    for failure in failures {
      let history = try HistoryMaker(pond)
      try history.decide()
      try history.fail("database", with: failure)
      #expect(try history.decide() == ["repair"], "\(failure)")
    }
  }

  @Test func whatWasCancelledMayHaveCases() throws {
    let history = try HistoryMaker(store())
    try history.decide()
    try history.requestCancel()
    try history.decide()
    let said = TemporalPayload(json: try JSONEncoder().encode([PebbleCase.failed("locked")]))
    try history.note {
      $0.activityTaskCanceledEventAttributes.scheduledEventID = 2
      $0.activityTaskCanceledEventAttributes.details.payloads = [.noOutput, said]
    }

    #expect(history.replay.recorded()?.pebbles[0].cases == [.failed("locked")])
  }

  @Test func ofWhatTheServerHasCancelledBeforeItWasCalledNoCaseHolds() async throws {
    let history = try HistoryMaker(store())
    try history.decide()
    try history.requestCancel()
    try history.decide()
    try history.note {
      $0.activityTaskCanceledEventAttributes.scheduledEventID = 2
      $0.activityTaskCanceledEventAttributes.details.payloads = [
        TemporalPayload(json: "\"ACTIVITY_ID_NOT_STARTED\"".utf8)
      ]
    }

    #expect(history.replay.recorded()?.pebbles[0].cases == [])
    #expect(try await Shifted().withReadableCases(history.events) == history.events)
  }

  // MARK: - What is not to be guessed

  @Test func anEndThatSaysNothingIsRefused() throws {
    let flip = pond.pebble("flip") { Side.heads }
    pond.pebble("heads", when: flip.is(.heads)) {}
    var history = try HistoryMaker(store())
    try history.decide()
    let failed = problem { try history.fail("database", "no", cases: nil) }
    history = try HistoryMaker(pond)
    try history.decide()
    let succeeded = problem { try history.succeed("flip", "[]") }

    #expect(
      failed.contains("database has ended without a word on which of its cases hold, ")
        && failed.contains("failed(\"locked\"), timedOut: its end was reported by a worker"))
    #expect(succeeded.contains("flip has ended") && succeeded.contains("is(\"heads\")"))
  }

  @Test func aCaseThatTheGraphDoesNotHaveIsRefused() throws {
    let history = try HistoryMaker(store())
    try history.decide()

    let told = problem { try history.fail("database", "no", cases: [.failed("busy")]) }

    #expect(told.contains("does not fit the pond: database was settled as failed(\"busy\")"))
  }

  @Test func casesThatCannotBeReadAreRefused() throws {
    let history = try HistoryMaker(store())
    try history.decide()
    var failure = TemporalFailure.application("no", type: "Failing", isFinal: true)
    failure.applicationFailureInfo.details.payloads = [
      TemporalPayload(json: #"[{"kind":"maybe","name":"locked"}]"#.utf8)
    ]

    let told = problem { try history.fail("database", with: failure) }

    #expect(told.contains("the cases of database cannot be read"), "\(told)")
  }

  /// The manifest as decoded by a worker whose release does not support cases.
  private struct OldManifest: Codable { let isTeardown: Bool }

  @Test func aWorkerOfAReleaseWithoutCasesCannotReadWhatAsksForThem() throws {
    let history = try HistoryMaker(store())
    try history.decide()
    let asking = try #require(history.scheduled["database"]).body.manifest
    try history.fail("database", "no", cases: [])
    try history.decide()
    let plain = try #require(history.scheduled["repair"]).body.manifest

    #expect(asking.cases == [.failed("locked"), .timedOut])
    let (old, text) = (JSONDecoder(), try JSONEncoder().encode(asking))
    #expect(throws: DecodingError.self) { try old.decode(OldManifest.self, from: text) }
    #expect(try old.decode(OldManifest.self, from: JSONEncoder().encode(plain)).isTeardown == false)
    #expect(try old.decode(BodyManifest.self, from: text) == asking)
  }

  @Test func aWorkerThatLacksACaseLeavesTheCallToOthers() async throws {
    let hosted = try HostedPond(store(), newNames: ["db": "database"])

    let error = await #expect(throws: MisfitError.self) {
      try await hosted.attempt(
        "db", number: 1, of: RunIdentifier("1"), inputs: [:], asking: [.failed("busy")],
        coder: JSONOutputs())
    }
    let result = try await hosted.attempt(
      "db", number: 1, of: RunIdentifier("1"), inputs: [:], asking: [.failed("locked")],
      coder: JSONOutputs())

    #expect(error?.description.contains("has no case failed(\"busy\")") == true)
    #expect(result.cases == [])
  }

  @Test func casesMustFitBesideAnOutput() throws {
    let step = pond.pebble("step") {}
    _ = step.failed(String(repeating: "x", count: 32 << 10)) { _ in true }

    let told = problem { _ = try RunInput(pond.model(), TemporalRunOptions()) }

    #expect(told.contains("the cases of step have"), "\(told)")
  }

  // MARK: - As the server stores them

  /// A codec that adds one to every byte.
  private struct Shifted: PayloadCodec {
    func encode(_ payload: EncodedPayload) -> EncodedPayload {
      EncodedPayload(metadata: payload.metadata, data: payload.data.map { $0 &+ 1 })
    }

    func decode(_ payload: EncodedPayload) -> EncodedPayload {
      EncodedPayload(metadata: payload.metadata, data: payload.data.map { $0 &- 1 })
    }
  }

  @Test func casesPassTheCodecAndOutputsStayClosed() async throws {
    let cases = [PebbleCase.is("heads")]
    let stored = try await Shifted().encode(cases)
    let output = TemporalPayload(json: "closed".utf8)
    var events = [TemporalHistoryEvent(), TemporalHistoryEvent(), TemporalHistoryEvent()]
    events[0].activityTaskCompletedEventAttributes.result.payloads = [output, stored]
    events[1].activityTaskCompletedEventAttributes.result.payloads = [output]
    var failure = TemporalFailure.application("no", type: "Failing", isFinal: true)
    failure.applicationFailureInfo.details.payloads = [stored]
    events[2].activityTaskFailedEventAttributes.failure = failure

    let read = try await Shifted().withReadableCases(events)

    let plain = try await PlainPayloads().encode(cases)
    #expect(stored != plain)
    #expect(read[0].activityTaskCompletedEventAttributes.result.payloads == [output, plain])
    #expect(read[1] == events[1])
    let details = read[2].activityTaskFailedEventAttributes.failure.applicationFailureInfo.details
    #expect(details.payloads == [plain])
  }

  // MARK: - As people see them

  @Test func theStatusNamesThem() throws {
    let flip = pond.pebble("flip") { Side.heads }
    pond.pebble("heads", when: flip.is(.heads)) {}
    let history = try HistoryMaker(store())
    try history.decide()
    try history.fail("database", "no", cases: [.failed("locked")])
    try history.succeed("flip", "\"heads\"", cases: [.is("heads")])
    let status = history.replay.status

    #expect(
      status.cases == [
        "database": "failed as locked", "flip": "succeeded with heads",
      ])
    #expect("\(status)".contains("\n  database failed as locked: no\n"))
    #expect("\(status)".hasSuffix("\n  flip succeeded with heads"))
    let text = try JSONEncoder().encode(status)
    #expect(try JSONDecoder().decode(FleetStatus.self, from: text) == status)
  }

  @Test func theStatusOfAnEarlierReleaseIsUnderstood() throws {
    let text = """
      {"pond":"boot","isCancelled":false,"succeeded":1,"failedCount":0,"failed":{},"skipped":0,
      "waiting":0,"runningCount":0,"running":[],"calledAgain":{},"tearingDownCount":0,
      "tearingDown":[],"tornDown":0}
      """

    let status = try JSONDecoder().decode(FleetStatus.self, from: Data(text.utf8))

    #expect(status.succeeded == 1 && status.cases == [:] && status.missedGoal == nil)
  }
}
