import Foundation
import Pebbles
import TemporalWire
import Testing

@testable import PebblesTemporal

@Suite struct CallProgressTests {
  private func task(at seconds: Int64, limit: Duration) -> TemporalPollActivityTaskQueueResponse {
    var task = TemporalPollActivityTaskQueueResponse()
    task.startedTime.seconds = seconds
    task.startToCloseTimeout = .init(limit)
    return task
  }

  @Test func whatIsKnownGoesToTheNextWorker() async throws {
    let progress = CallProgress(failures: 2, misfitSince: 7)
    var task = task(at: 10, limit: .seconds(30))
    task.heartbeatDetails = try await progress.encoded(PlainPayloads())

    let read = try await CallProgress(task, PlainPayloads())

    #expect(read == progress)
    #expect(read.attempt == 3)
    #expect(read.afterFailure == CallProgress(failures: 3))
    #expect(read.fitting == CallProgress(failures: 2))
  }

  @Test func nothingIsKnownOfTheFirstCall() async throws {
    let progress = try await CallProgress(task(at: 10, limit: .seconds(30)), PlainPayloads())

    #expect(progress.attempt == 1)
  }

  @Test(arguments: ["", "null", "[]", "{}", "{\"failures\": 1.5}", "text"])
  func whatSomebodyElseWroteCountsAsNothing(_ text: String) async throws {
    var task = task(at: 10, limit: .seconds(30))
    task.heartbeatDetails = TemporalPayloads([TemporalPayload(json: text.utf8)])

    #expect(try await CallProgress(task, PlainPayloads()) == CallProgress())
  }

  @Test(arguments: [(Int.max, Int(Int32.max)), (-4, 0)])
  func noCountIsTooLarge(_ count: Int, _ known: Int) async throws {
    var task = task(at: 10, limit: .seconds(30))
    task.heartbeatDetails = try await CallProgress(failures: count).encoded(PlainPayloads())

    let progress = try await CallProgress(task, PlainPayloads())

    #expect(progress.failures == known)
    #expect(progress.attempt == known + 1)
  }

  @Test func nobodyIsWaitedForLongerThanThePebbleMayTake() {
    var progress = CallProgress()
    for seconds in [100, 129] {
      let next = progress.afterMisfit(of: task(at: Int64(seconds), limit: .seconds(30)))
      #expect(next?.misfitSince == 100)
      progress = next ?? progress
    }

    #expect(progress.afterMisfit(of: task(at: 130, limit: .seconds(30))) == nil)
    #expect(progress.afterMisfit(of: task(at: 100_000, limit: CommandWriter.unlimited)) != nil)
  }

  @Test func errorsOfFoundationAreASentence() {
    let error = #expect(throws: CocoaError.self) {
      try Data(contentsOf: URL(filePath: "/nowhere/launches.json"))
    }

    #expect(error?.sentence == "/nowhere/launches.json: No such file or directory")
    #expect(POSIXError(.ENOSPC).sentence == "No space left on device")
    #expect(Failing().sentence == "it was to fail")
  }

  @Test func whatWouldEndALineIsEscaped() {
    #expect("a\nb\u{1B}[2Jc ö".inLine == #"a\nb\u{1B}[2Jc ö"#)
  }

  @Test func anUpdateIsRejectedAndWhatIsNoneIsNot() throws {
    var request = TemporalRequest()
    request.meta.updateID = "u1"
    var message = TemporalMessage()
    message.id = "m1"
    message.protocolInstanceID = "u1"
    message.eventID = 7
    message.body.typeURL = "type.googleapis.com/temporal.api.update.v1.Request"
    message.body.value = try request.serializedData()

    let answer = try #require(try TemporalMessage(rejecting: message))
    let rejection = try TemporalRejection(serializedBytes: answer.body.value)
    message.body.typeURL = "type.googleapis.com/temporal.api.update.v1.Acceptance"

    #expect(answer.protocolInstanceID == "u1")
    #expect(answer.body.typeURL.hasSuffix("temporal.api.update.v1.Rejection"))
    #expect(rejection.rejectedRequestMessageID == "m1")
    #expect(rejection.rejectedRequestSequencingEventID == 7)
    #expect(rejection.rejectedRequest == request)
    #expect(try TemporalMessage(rejecting: message) == nil)
  }
}
