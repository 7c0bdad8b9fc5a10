import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire

/// What a history says of cases. They were asked where the body was called, of what it returned or
/// threw: a replay needs no closure, and comes to the same whatever a worker has meanwhile.
///
/// Of a pebble with cases that has succeeded there are two payloads, its output and its cases, and
/// so there are of one that was cancelled; of one that has failed, they are the details of the
/// failure.
extension RunReplay {
  /// The output among what a body has returned; `nil` if it has none.
  func output(of pebble: Int, _ result: TemporalPayloads) -> TemporalPayload? {
    let first = result.payloads.first
    return model.cases(at: pebble).isEmpty || first != .noOutput ? first : nil
  }

  /// The cases that hold of what has succeeded.
  ///
  /// - Throws: `ReplayError` if nothing is said of them: which pebbles run is not to be guessed.
  func cases(of pebble: Int, _ result: TemporalPayloads) throws(ReplayError) -> [PebbleCase] {
    guard !model.cases(at: pebble).isEmpty else { return [] }
    guard result.payloads.count == 2 else { throw unsaid(of: pebble) }
    return try read(result.payloads[1], of: pebble)
  }

  /// The cases that hold of what has failed. None, if that was not said by a body: its worker was
  /// stopped or never found, its output was lost on the way, or it was to be called again and the
  /// server has given that up.
  ///
  /// - Throws: `ReplayError` if a body has failed and nothing is said of them.
  func cases(of pebble: Int, _ failure: TemporalFailure) throws(ReplayError) -> [PebbleCase] {
    guard !model.cases(at: pebble).isEmpty, failure.isOfBody else { return [] }
    guard let details = failure.applicationFailureInfo.details.payloads.first else {
      throw unsaid(of: pebble)
    }
    return try read(details, of: pebble)
  }

  /// The cases that hold of what was cancelled with its run: told like those of a success, as the
  /// server has a word of its own for what it has cancelled before it was called.
  func cases(
    ofCancelled pebble: Int, _ details: TemporalPayloads
  ) throws(ReplayError) -> [PebbleCase] {
    guard !model.cases(at: pebble).isEmpty, details.payloads.count == 2 else { return [] }
    return try read(details.payloads[1], of: pebble)
  }

  /// The cases that hold of what the server has given up. A worker that was lost has said nothing,
  /// so none that has a name does.
  ///
  /// That its own time was over is known in two ways: its worker says so, which keeps that time and
  /// fails it with `PebbleTimeout`, like any failure; or the server does, with *start to close*,
  /// which has a limit only where the pebble has one, and is later by half a minute. A missing
  /// heartbeat comes from the worker, however long the pebble may take.
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
  /// The type of failures that no body has thrown.
  static let callFailed = "CallFailed"

  /// The type of what fails that no worker could call.
  static let noWorker = "NoWorker"

  /// Whether a body has failed with it, for good: on one of our workers, and nothing went wrong
  /// beside it.
  var isOfBody: Bool {
    guard isOurs, applicationFailureInfo.nonRetryable else { return false }
    return ![Self.callFailed, Self.noWorker, Self.workerStopped].contains(
      applicationFailureInfo.type)
  }
}

extension TemporalPayload {
  /// What stands in the place of an output where there is none, and cases follow.
  static let noOutput: TemporalPayload = {
    var payload = TemporalPayload()
    payload.metadata[encodingKey] = Data("binary/null".utf8)
    return payload
  }()
}

extension PayloadCodec {
  /// Cases as they are stored.
  func encode(_ cases: [PebbleCase]) async throws -> TemporalPayload {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try await encode(json: try encoder.encode(cases))
  }

  /// Events with the cases that they tell as they were before they were stored; outputs stay as
  /// they are.
  ///
  /// - Throws: What the codec throws.
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
