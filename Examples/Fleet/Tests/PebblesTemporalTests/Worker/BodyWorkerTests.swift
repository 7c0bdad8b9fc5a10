import Foundation
import Pebbles
import PebblesDurable
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests of calls that a worker makes without a server. No request is sent before a heartbeat is
/// due.
@Suite(.timeLimit(.minutes(5))) struct BodyWorkerTests {
  /// Checks a teardown that fails while its worker is stopping. Other workers do not call it again.
  @Test func aTeardownThatThrowsWhileItsWorkerEndsHasFailed() async throws {
    let pond = Pond("undone")
    pond.pebble("open", teardown: { throw Failing() }) {}
    let hosted = try HostedPond(pond, newNames: [:])
    let manifest = try JSONEncoder().encode(BodyManifest.teardown(of: .init(pebble: "open")))

    let end = try await Temporal.connected(to: .local, .quiet) { temporal in
      let worker = BodyWorker(
        temporal: temporal, taskQueue: "ponds", ponds: [pond.name: hosted], slots: Slots(1),
        coder: JSONOutputs())
      let stopped = Task {
        // Until it is cancelled.
        for await _ in AsyncStream(Never.self, { _ in }) {}
        var call = TemporalPollActivityTaskQueueResponse()
        call.workflowType.name = pond.name
        call.activityID = "teardown of open"
        call.input = TemporalPayloads([TemporalPayload(json: manifest)])
        return await worker.end(of: call, BodyLog(temporal.logger, call))
      }
      stopped.cancel()
      return await stopped.value
    }

    guard case .failed(let failure) = end else {
      Issue.record("it ended otherwise: \(end)")
      return
    }
    #expect(failure.message == "it was to fail")
  }
}
