import Foundation
import Pebbles
import PebblesDurable
import Synchronization
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for calls that a worker makes without a server. No request is sent before a heartbeat is
/// due.
@Suite(.timeLimit(.minutes(5))) struct BodyWorkerTests {
  @Test func aRenamedPebbleHasTheKeysThatItHadUnderItsOldName() async throws {
    let keys = Mutex<[String]>([])
    let note: @Sendable () -> Void = {
      keys.withLock { $0.append(PebbleContext.current?.idempotencyKey ?? "") }
    }
    let (run, coder) = (RunIdentifier("17"), JSONOutputs())
    for name in ["download", "fetch"] {
      let pond = Pond("nightly")
      pond.pebble(name, teardown: { note() }) { note() }
      let hosted = try HostedPond(pond, newNames: name == "fetch" ? ["download": "fetch"] : [:])

      _ = try await hosted.attempt("download", number: 1, of: run, inputs: [:], coder: coder)
      try await hosted.tearDown("download", of: run, output: nil, coder: coder)
    }

    #expect(keys.withLock { $0 } == Array(repeating: "17/download", count: 4))
  }

  /// Checks that no other worker repeats a teardown that failed while its worker was stopping.
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
