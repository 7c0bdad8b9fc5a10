import Foundation
import TemporalWire

/// The progress of a call, which workers pass to each other: the server keeps it between calls, as
/// the details of the last heartbeat.
///
/// The server counts every time it has sent the call to a worker. The policy of the pebble counts
/// only the failures of its body, and not lost or stopped workers, or workers without the pebble.
struct CallProgress: Codable, Sendable, Hashable {
  /// The number of failures of the body.
  var failures = 0

  /// The time since which the call has only come to workers that could not make it, by the clock of
  /// the server, in seconds since 1970; `nil` if the last worker could make it.
  var misfitSince: Double?

  /// The largest number of failures that is counted.
  private static let mostFailures = Int(Int32.max)

  /// The number of the next attempt, starting at 1, as the policy of the pebble counts attempts.
  var attempt: Int { failures + 1 }

  /// The progress after one more failure.
  var afterFailure: CallProgress { CallProgress(failures: failures + 1) }

  /// The progress after the call has come to a worker that can make it.
  var fitting: CallProgress { CallProgress(failures: failures) }
}

extension CallProgress {
  /// Creates the progress of a call from its heartbeat details.
  ///
  /// - Parameters:
  ///   - task: The call.
  ///   - codec: The codec that decodes payloads of the server.
  /// - Throws: The errors of the codec.
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
  /// - Throws: The errors of the codec.
  func encoded(_ codec: any PayloadCodec) async throws -> TemporalPayloads {
    TemporalPayloads([try await codec.encode(json: try JSONEncoder().encode(self))])
  }

  /// Returns the progress after the call came to a worker that cannot make it.
  ///
  /// - Parameter task: The call.
  /// - Returns: The progress; `nil` if no worker could make the call for as long as the pebble may
  ///   take.
  func afterMisfit(of task: TemporalPollActivityTaskQueueResponse) -> CallProgress? {
    let now = task.startedTime.sinceEpoch / .seconds(1)
    let since = misfitSince ?? now
    let limit = task.startToCloseTimeout.duration
    guard limit >= CommandWriter.unlimited || now - since < limit / .seconds(1) else { return nil }
    return CallProgress(failures: failures, misfitSince: since)
  }
}
