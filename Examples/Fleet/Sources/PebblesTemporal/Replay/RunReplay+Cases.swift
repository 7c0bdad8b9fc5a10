import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire

/// Methods that read cases from a history. The worker that called a body also determined the cases
/// from the body's output or error. A replay therefore calls no closures, and gives the same result
/// on every worker.
///
/// If a pebble with cases succeeded or was cancelled, the history contains two payloads: its output
/// or a placeholder, and its cases. They are missing if the server cancelled the call before a
/// worker received it. For a body that failed, the cases are stored in the details of the failure.
extension RunReplay {
  /// Returns the output of a pebble, extracted from the result of its body; `nil` if the pebble has
  /// no output.
  func output(of pebble: Int, _ result: TemporalPayloads) -> TemporalPayload? {
    let first = result.payloads.first
    return model.cases(at: pebble).isEmpty || first != .noOutput ? first : nil
  }

  /// Returns the cases that hold for a pebble that succeeded.
  ///
  /// - Throws: `ReplayError` if the cases are missing or cannot be read. They are required because
  ///   conditions may depend on them.
  func cases(of pebble: Int, _ result: TemporalPayloads) throws(ReplayError) -> [PebbleCase] {
    guard !model.cases(at: pebble).isEmpty else { return [] }
    guard result.payloads.count == 2 else { throw unsaid(of: pebble) }
    return try read(result.payloads[1], of: pebble)
  }

  /// Returns the cases that hold for a pebble that failed. The result is empty if the body itself
  /// did not fail. This happens if the worker was stopped, no worker was found, the output was lost
  /// on the way, or the server stopped repeating the call.
  ///
  /// - Throws: `ReplayError` if a body failed and the cases are missing or cannot be read.
  func cases(of pebble: Int, _ failure: TemporalFailure) throws(ReplayError) -> [PebbleCase] {
    guard !model.cases(at: pebble).isEmpty, failure.isOfBody else { return [] }
    guard let details = failure.applicationFailureInfo.details.payloads.first else {
      throw unsaid(of: pebble)
    }
    return try read(details, of: pebble)
  }

  /// Returns the cases that hold for a pebble that was cancelled with its run. As after a success,
  /// the cases are in the second of two payloads. If the server cancelled the call before a worker
  /// received it, the details contain a message from the server instead.
  ///
  /// - Throws: `ReplayError` if the cases cannot be read.
  func cases(
    ofCancelled pebble: Int, _ details: TemporalPayloads
  ) throws(ReplayError) -> [PebbleCase] {
    guard !model.cases(at: pebble).isEmpty, details.payloads.count == 2 else { return [] }
    return try read(details.payloads[1], of: pebble)
  }

  /// Returns the cases that hold for a pebble whose call was ended by a server timeout. The worker
  /// has not reported any cases, so the result contains at most `timedOut`.
  ///
  /// The timeout of the pebble itself is reported in one of two ways. Usually, the worker fails the
  /// attempt with `PebbleTimeout`, as for any other failure. If the worker hangs, the server
  /// reports a *start to close* timeout later. If the pebble has no timeout, the server's limit is
  /// a year and does not represent a timeout of the pebble. A missing heartbeat does not indicate
  /// that the pebble's timeout has passed.
  func casesOfTimeout(of pebble: Int, _ failure: TemporalFailure) -> [PebbleCase] {
    let isOwn =
      failure.timeoutFailureInfo.timeoutType == .startToClose && model.timeout(at: pebble) != nil
    return isOwn ? model.cases(at: pebble).filter { $0 == .timedOut } : []
  }

  private func read(
    _ payload: TemporalPayload, of pebble: Int
  ) throws(ReplayError) -> [PebbleCase] {
    do {
      return try JSONDecoder().decode([PebbleCase].self, from: payload.data)
    } catch {
      throw ReplayError("the cases of \(names[pebble].cut(to: 60)) cannot be read: \(error)")
    }
  }

  private func unsaid(of pebble: Int) -> ReplayError {
    let cases = model.cases(at: pebble).map { "\($0)".cut(to: 60) }.joined(separator: ", ")
    return ReplayError(
      "\(names[pebble].cut(to: 60)) has ended without a word on which of its cases hold, "
        + "\(cases.cut(to: 400)): its end was reported by a worker that knows no cases, or by hand")
  }
}

extension TemporalFailure {
  /// The failure type of calls that failed outside the body, for example because the output was too
  /// large.
  static let callFailed = "CallFailed"

  /// The failure type of calls that found no worker.
  static let noWorker = "NoWorker"

  /// Whether the body itself failed: one of our workers reported the failure as permanent, and it
  /// was not caused by a problem outside the body.
  var isOfBody: Bool {
    guard isOurs, applicationFailureInfo.nonRetryable else { return false }
    return ![Self.callFailed, Self.noWorker, Self.workerStopped].contains(
      applicationFailureInfo.type)
  }
}

extension TemporalPayload {
  /// A placeholder that precedes the cases of a pebble without an output.
  static let noOutput: TemporalPayload = {
    var payload = TemporalPayload()
    payload.metadata[encodingKey] = Data("binary/null".utf8)
    return payload
  }()
}

extension PayloadCodec {
  /// Returns the payload that stores some cases.
  func encode(_ cases: [PebbleCase]) async throws -> TemporalPayload {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try await encode(json: try encoder.encode(cases))
  }

  /// Returns the events with their cases decoded. Outputs remain encoded.
  ///
  /// - Throws: Any error thrown by the codec.
  /// - Complexity: O(events).
  func withReadableCases(
    _ events: [TemporalHistoryEvent]
  ) async throws -> [TemporalHistoryEvent] {
    var events = events
    for place in events.indices {
      switch events[place].attributes {
      case .activityTaskCompletedEventAttributes(var completed)
      where completed.result.payloads.count == 2:
        completed.result.payloads[1] = try await decoded(completed.result.payloads[1])
        events[place].attributes = .activityTaskCompletedEventAttributes(completed)
      case .activityTaskFailedEventAttributes(var failed) where failed.failure.hasCases:
        failed.failure.applicationFailureInfo.details.payloads = try await decoded(
          failed.failure.applicationFailureInfo.details)
        events[place].attributes = .activityTaskFailedEventAttributes(failed)
      case .activityTaskCanceledEventAttributes(var canceled)
      where canceled.details.payloads.count == 2:
        canceled.details.payloads[1] = try await decoded(canceled.details.payloads[1])
        events[place].attributes = .activityTaskCanceledEventAttributes(canceled)
      default:
        break
      }
    }
    return events
  }
}

extension TemporalFailure {
  fileprivate var hasCases: Bool {
    isOurs && !applicationFailureInfo.details.payloads.isEmpty
  }
}
