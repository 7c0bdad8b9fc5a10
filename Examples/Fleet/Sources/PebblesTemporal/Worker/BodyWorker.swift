import Foundation
import GRPCCore
import Logging
import Pebbles
import PebblesDurable
import TemporalWire

/// The part of a worker that calls bodies and teardowns.
struct BodyWorker: Sendable {
  /// The maximum number of concurrent polls. Further polls would only wait for each other.
  private static let mostPolls = 5

  let temporal: Temporal
  let taskQueue: String
  let ponds: [String: HostedPond]
  let slots: Slots
  let coder: any OutputCoder

  /// Polls for calls and makes them until the task is cancelled. Cancellation also cancels the
  /// running bodies.
  func run() async {
    let polls = Slots(Self.mostPolls)
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        guard (try? await slots.take()) != nil else { return }
        guard (try? await polls.take()) != nil else { return slots.giveBack() }
        group.addTask {
          let task = await poll()
          polls.giveBack()
          if let task { await handle(task) }
          slots.giveBack()
        }
      }
    }
  }

  private func poll() async -> TemporalPollActivityTaskQueueResponse? {
    var request = TemporalPollActivityTaskQueueRequest()
    request.namespace = temporal.namespace
    request.identity = temporal.identity
    request.taskQueue = .normal(taskQueue)
    let task: TemporalPollActivityTaskQueueResponse? = await temporal.poll(
      "PollActivityTaskQueue", request)
    return task.flatMap { $0.taskToken.isEmpty ? nil : $0 }
  }

  /// Makes a call, and reports its end to the server.
  func handle(_ task: TemporalPollActivityTaskQueueResponse) async {
    let log = BodyLog(temporal.logger, task)
    let end = await end(of: task, log)
    log.ended(end)
    // In a separate task, so that stopping the worker does not lose finished work.
    await Task {
      do {
        try await temporal.tell(end, of: task)
      } catch let error as RPCError where error.code == .notFound {
        log.endNotAwaited()
      } catch {
        log.endNotReported(error)
      }
    }.value
  }

  /// Makes a call, and returns how it ended.
  func end(
    of task: TemporalPollActivityTaskQueueResponse, _ log: BodyLog
  ) async -> BodyEnd {
    let progress: CallProgress
    do {
      progress = try await CallProgress(task, temporal.codec)
    } catch {
      // A key may be missing here: the progress is left unchanged for a worker that has it.
      return .misfit("the record of the call cannot be read: \(error.sentence)", nil)
    }
    do {
      return try await call(task, progress, log)
    } catch let error as MisfitError {
      guard let next = progress.afterMisfit(of: task) else {
        return .failed(
          .application(
            "no worker could call it within its time limit: \(error)",
            type: TemporalFailure.noWorker, isFinal: true))
      }
      return .misfit(error.description, next)
    } catch {
      return Task.isCancelled
        ? .stopped(progress)
        : .failed(
          .application(error.sentence, type: TemporalFailure.callFailed, isFinal: true))
    }
  }

  /// Calls the body or the teardown.
  ///
  /// - Throws: ``MisfitError`` if this worker cannot make the call; any other error that occurs
  ///   outside the body.
  private func call(
    _ task: TemporalPollActivityTaskQueueResponse, _ progress: CallProgress, _ log: BodyLog
  ) async throws -> BodyEnd {
    guard let pond = ponds[task.workflowType.name] else {
      throw MisfitError("this worker has no pond \"\(task.workflowType.name)\"")
    }
    let heart = Heart(temporal, task, try await progress.fitting.encoded(temporal.codec))
    let (manifest, inputs) = try await heart.withHeartbeats { try await read(task.input) }.result
    let run = RunIdentifier(manifest.run)
    if manifest.isTeardown == true { return try await tearDown(run, pond, inputs, heart, log) }
    guard pond.has(task.activityID) else {
      throw MisfitError("this worker's pond has no pebble \"\(task.activityID)\"")
    }
    log.begins(attempt: progress.attempt)
    let (result, isCancelled) = try await heart.withHeartbeats {
      try await pond.attempt(
        task.activityID, number: progress.attempt, of: run, inputs: inputs,
        asking: manifest.cases ?? [], coder: coder)
    }
    switch result {
    case .succeeded(let output, _):
      // In a separate task, so that finished work is reported even if the worker is stopped.
      return try await heart.withHeartbeats {
        try await Task {
          try await encoded(
            output, holding: heldCases(result, manifest), of: task.activityID, run, pond)
        }.value
      }.result
    case .failed where isCancelled:
      return .cancelled(payloads(nil, try await heldCases(result, manifest)))
    case .failed where Task.isCancelled:
      return .stopped(progress)
    case .failed(let failure):
      guard let delay = failure.retryAfter else {
        return .failed(
          TemporalFailure(failure.error, isFinal: true, try await heldCases(result, manifest)))
      }
      return .again(
        TemporalFailure(failure.error, isFinal: false), after: delay, progress.afterFailure)
    }
  }

  /// Returns a payload with the cases that hold, in the order of the run's graph. Cases that are
  /// not in this graph are omitted. If the graph has no cases for the pebble, the result is empty.
  private func heldCases(
    _ result: AttemptResult, _ manifest: BodyManifest
  ) async throws -> TemporalPayloads {
    guard let asked = manifest.cases else { return TemporalPayloads() }
    return TemporalPayloads([try await temporal.codec.encode(asked.filter(result.cases.contains))])
  }

  /// Returns the output of a pebble, followed by its cases. If the pebble has cases but no output,
  /// a placeholder takes the place of the output.
  private func payloads(
    _ output: TemporalPayload?, _ cases: TemporalPayloads
  ) -> TemporalPayloads {
    if cases.payloads.isEmpty { return TemporalPayloads(output.map { [$0] } ?? []) }
    return TemporalPayloads([output ?? .noOutput] + cases.payloads)
  }

  /// Decodes the input of a call.
  ///
  /// - Throws: ``MisfitError`` if the input cannot be decoded, because this worker belongs to
  ///   another release or lacks a key.
  private func read(
    _ input: TemporalPayloads
  ) async throws(MisfitError) -> (BodyManifest, [String: EncodedOutcome]) {
    do {
      let payloads = try await temporal.codec.decoded(input)
      guard let first = payloads.first else { throw ReplayError("there are none") }
      let manifest = try JSONDecoder().decode(BodyManifest.self, from: first.data)
      return (manifest, try manifest.outcomes(Array(payloads.dropFirst())))
    } catch {
      throw MisfitError("this worker cannot read the inputs: \(error.sentence)")
    }
  }

  /// Calls a teardown in a separate task, so that stopping the worker does not interrupt the
  /// teardown.
  private func tearDown(
    _ run: RunIdentifier, _ pond: HostedPond,
    _ inputs: [String: EncodedOutcome], _ heart: Heart, _ log: BodyLog
  ) async throws -> BodyEnd {
    guard let (pebble, outcome) = inputs.first, inputs.count == 1,
      case .succeeded(let output) = outcome
    else { throw ReplayError("it cannot be torn down, because it has not succeeded") }
    log.begins(attempt: nil)
    let end = Task {
      try await heart.withHeartbeats {
        try await pond.tearDown(pebble, of: run, output: output, coder: coder)
      }
    }
    do {
      _ = try await end.value
    } catch let error as MisfitError {
      throw error
    } catch {
      return .failed(TemporalFailure(error, isFinal: true))
    }
    return .succeeded(TemporalPayloads())
  }

  private func encoded(
    _ output: [UInt8]?, holding cases: TemporalPayloads, of pebble: String,
    _ run: RunIdentifier, _ pond: HostedPond
  ) async throws -> BodyEnd {
    guard let output else { return .succeeded(payloads(nil, cases)) }
    do {
      return .succeeded(payloads(try await payload(of: output), cases))
    } catch {
      // The output will be lost, so its effects are undone here, where it is still known.
      do {
        try await pond.tearDown(pebble, of: run, output: output, coder: coder)
      } catch let failure {
        throw TemporalError(
          "\(error.sentence); and it could not be torn down: \(failure.sentence)")
      }
      throw error
    }
  }

  private func payload(of output: [UInt8]) async throws -> TemporalPayload {
    let payload = try await temporal.codec.encode(json: output)
    let most = RunSettings().largestPayload
    guard payload.data.count <= most else {
      throw TemporalError(
        "its output has \(payload.data.count) bytes, but the server takes \(most): store it, and "
          + "return its place")
    }
    return payload
  }
}
