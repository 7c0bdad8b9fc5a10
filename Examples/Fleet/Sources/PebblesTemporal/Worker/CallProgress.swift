import Foundation
import TemporalWire

/// The progress of a call, which is passed from one worker to the next. Between calls, the server
/// stores the progress as the details of the last heartbeat.
///
/// The server counts how often it has sent the call to a worker. The retry policy of the pebble
/// counts only the failures of the body. It does not count workers that were lost, were stopped, or
/// did not have the pebble.
struct CallProgress: Codable, Sendable, Hashable {
  /// The number of failures of the body.
  var failures = 0

  /// The time since which no worker has been able to make the call, in seconds since 1970,
  /// according to the server's clock; `nil` if the last worker could make the call.
  var misfitSince: Double?

  /// The upper limit for a number of failures read from heartbeat details; larger numbers are
  /// reduced to it.
  private static let mostFailures = Int(Int32.max)

  /// The number of the next attempt, starting at 1. Only failures of the body count, as in the
  /// retry policy of the pebble.
  var attempt: Int { failures + 1 }

  /// The progress after one more failure.
  var afterFailure: CallProgress { CallProgress(failures: failures + 1) }

  /// The progress after the call has reached a worker that can make it.
  var fitting: CallProgress { CallProgress(failures: failures) }
}

extension CallProgress {
  /// Creates the progress of a call from its heartbeat details.
  ///
  /// - Parameters:
  ///   - task: The call.
  ///   - codec: The codec that decodes payloads of the server.
  /// - Throws: Any error thrown by the codec.
  init(_ task: TemporalPollActivityTaskQueueResponse, _ codec: any PayloadCodec) async throws {
    self.init()
    guard let details = task.heartbeatDetails.payloads.first else { return }
    let data = try await codec.decoded(details).data
    // Details written by other programs are ignored.
    guard let known = try? JSONDecoder().decode(CallProgress.self, from: data) else { return }
    self.init(
      failures: min(max(known.failures, 0), Self.mostFailures), misfitSince: known.misfitSince)
  }

  /// Returns the progress as the server stores it.
  ///
  /// - Throws: Any error thrown by the codec.
  func encoded(_ codec: any PayloadCodec) async throws -> TemporalPayloads {
    TemporalPayloads([try await codec.encode(json: try JSONEncoder().encode(self))])
  }

  /// Returns the progress after the call has reached a worker that cannot make it.
  ///
  /// - Parameter task: The call.
  /// - Returns: The progress; `nil` if the call has a time limit, and no worker has been able to
  ///   make the call for that long.
  func afterMisfit(of task: TemporalPollActivityTaskQueueResponse) -> CallProgress? {
    let now = task.startedTime.sinceEpoch / .seconds(1)
    let since = misfitSince ?? now
    let limit = task.startToCloseTimeout.duration
    guard limit >= CommandWriter.unlimited || now - since < limit / .seconds(1) else { return nil }
    return CallProgress(failures: failures, misfitSince: since)
  }
}
