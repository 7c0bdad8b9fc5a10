import Foundation
import TemporalWire

/// What workers tell each other about a call of a body: the server keeps it from one call to the
/// next, as what was said with the last sign of life.
///
/// The server counts every time that it has sent a call to a worker. The pebble's own policy counts
/// the times that its body has failed: not those in which a worker was lost, was told to end, or
/// does not have the pebble.
struct CallProgress: Codable, Sendable, Hashable {
  /// How often the body has failed.
  var failures = 0

  /// Since when it has only come to workers that could not call it, by the server's clock, in
  /// seconds since 1970; `nil` if the last one could.
  var misfitSince: Double?

  /// More are not told apart.
  private static let mostFailures = Int(Int32.max)

  /// Which attempt of the pebble's policy is next, from 1 on.
  var attempt: Int { failures + 1 }

  /// After one more failure.
  var afterFailure: CallProgress { CallProgress(failures: failures + 1) }

  /// Once a worker can call it.
  var fitting: CallProgress { CallProgress(failures: failures) }
}

extension CallProgress {
  /// What is known of a call.
  ///
  /// - Parameters:
  ///   - task: The call.
  ///   - codec: Reads what the server stores.
  /// - Throws: What the codec throws.
  init(_ task: TemporalPollActivityTaskQueueResponse, _ codec: any PayloadCodec) async throws {
    self.init()
    guard let details = task.heartbeatDetails.payloads.first else { return }
    let data = try await codec.decoded(details).data
    // Of what somebody else has written there, nothing is known.
    guard let known = try? JSONDecoder().decode(CallProgress.self, from: data) else { return }
    self.init(
      failures: min(max(known.failures, 0), Self.mostFailures), misfitSince: known.misfitSince)
  }

  /// As the server stores it.
  ///
  /// - Throws: What the codec throws.
  func encoded(_ codec: any PayloadCodec) async throws -> TemporalPayloads {
    TemporalPayloads([try await codec.encode(json: try JSONEncoder().encode(self))])
  }

  /// After it has come to a worker that cannot call it.
  ///
  /// - Parameter task: The call.
  /// - Returns: What is to be kept; `nil` if nobody could call it for as long as the pebble may
  ///   take.
  func afterMisfit(of task: TemporalPollActivityTaskQueueResponse) -> CallProgress? {
    let now = task.startedTime.sinceEpoch / .seconds(1)
    let since = misfitSince ?? now
    let limit = task.startToCloseTimeout.duration
    guard limit >= CommandWriter.unlimited || now - since < limit / .seconds(1) else { return nil }
    return CallProgress(failures: failures, misfitSince: since)
  }
}
