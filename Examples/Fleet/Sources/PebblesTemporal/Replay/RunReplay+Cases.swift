import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire

/// Cases in a history. They were determined where the body was called, from its output or error. So
/// a replay calls no closures, and gives the same result on every worker.
///
/// For a pebble with cases that succeeded or was cancelled, there are two payloads: its output and
/// its cases. If it failed, its cases are the details of the failure.
extension RunReplay {
  /// Returns the output of a pebble from the result of its body; `nil` if there is no output.
  func output(of pebble: Int, _ result: TemporalPayloads) -> TemporalPayload? {
    let first = result.payloads.first
    return model.cases(at: pebble).isEmpty || first != .noOutput ? first : nil
  }

  /// Returns the cases that hold for a pebble that succeeded.
  ///
  /// - Throws: `ReplayError` if the cases are missing, because conditions may depend on them.
  func cases(of pebble: Int, _ result: TemporalPayloads) throws(ReplayError) -> [PebbleCase] {
    guard !model.cases(at: pebble).isEmpty else { return [] }
    guard result.payloads.count == 2 else { throw unsaid(of: pebble) }
    return try read(result.payloads[1], of: pebble)
  }

  /// Returns the cases that hold for a pebble that failed. There are none if the body itself did
  /// not fail: its worker was stopped or never found, its output was lost on the way, or the server
  /// gave up on calling it again.
  ///
  /// - Throws: `ReplayError` if a body failed and the cases are missing.
  func cases(of pebble: Int, _ failure: TemporalFailure) throws(ReplayError) -> [PebbleCase] {
    guard !model.cases(at: pebble).isEmpty, failure.isOfBody else { return [] }
    guard let details = failure.applicationFailureInfo.details.payloads.first else {
      throw unsaid(of: pebble)
    }
    return try read(details, of: pebble)
  }

  /// Returns the cases that hold for a pebble that was cancelled with its run. They are stored as
  /// for a success, as the second of two payloads. If the server cancelled the pebble before it was
  /// called, the details are a message of the server.
  func cases(
    ofCancelled pebble: Int, _ details: TemporalPayloads
  ) throws(ReplayError) -> [PebbleCase] {
    guard !model.cases(at: pebble).isEmpty, details.payloads.count == 2 else { return [] }
    return try read(details.payloads[1], of: pebble)
  }

  /// Returns the cases that hold for a pebble that the server timed out. A lost worker has reported
  /// nothing, so no named case holds.
  ///
  /// The timeout of the pebble itself is reported in one of two ways. Usually its worker fails the
  /// attempt with `PebbleTimeout`, like any other failure. If the worker does not, the server
  /// reports a *start to close* timeout later. For a pebble without a timeout, this limit of the
  /// server is a year, and is not the timeout of the pebble. A missing heartbeat says nothing about
  /// the timeout of the pebble.
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
  /// The type of failures that were not thrown by a body.
  static let callFailed = "CallFailed"

  /// The type of failures of calls that found no worker.
  static let noWorker = "NoWorker"

  /// Whether a body has failed for good on one of our workers, and no other problem occurred.
  var isOfBody: Bool {
    guard isOurs, applicationFailureInfo.nonRetryable else { return false }
    return ![Self.callFailed, Self.noWorker, Self.workerStopped].contains(
      applicationFailureInfo.type)
  }
}

extension TemporalPayload {
  /// A placeholder for a missing output that is followed by cases.
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

  /// Returns the events with their cases decoded; outputs stay encoded.
  ///
  /// - Throws: The errors of the codec.
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
