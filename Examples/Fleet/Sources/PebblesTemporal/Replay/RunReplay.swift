import Foundation
import Pebbles
import PebblesAnalysis
import PebblesDurable
import TemporalWire

/// A run of a pond, rebuilt solely from the events of its history.
///
/// The graph is in the input of the workflow or, if the run was started without a graph, in an
/// event that a worker has added. The code of a worker therefore determines what bodies do, but not
/// which bodies are called.
final class RunReplay {
  enum Deadline {
    case none
    case wanted(Duration)
    case started
  }

  /// A call to a body or a teardown that has been scheduled but has not ended.
  struct Pending {
    let pebble: Int
    let isTeardown: Bool
    var isCancelRequested = false
  }

  static let deadlineTimer = "deadline"

  /// The name of the marker that records the graph in the history of a run that was started without
  /// a graph.
  static let inputMarker = "pond"

  let model: PondModel
  let settings: RunSettings

  /// The given values of the run, as the server stores them.
  let given: [TemporalPayload]
  let scheduler: Scheduler
  let names: [String]

  /// The identifier of the run, which is the same in all processes and is not changed by a reset.
  /// Idempotency keys therefore stay the same, and values that were stored under these keys are
  /// found again.
  let run: RunIdentifier
  let positions: [String: Int]
  private let start: Duration

  /// The sequence number, starting at 1, of the last applied event.
  private(set) var lastEvent: Int64 = 1
  private(set) var deadline = Deadline.none
  private(set) var isInputRecorded: Bool

  /// The pending calls, keyed by the number of the event that scheduled them.
  private(set) var pending: [Int64: Pending] = [:]
  private(set) var outputs: [Int: TemporalPayload] = [:]

  /// The cases that hold for pebbles that have ended, keyed by the position of the pebble. Pebbles
  /// for which no case holds are omitted.
  private(set) var heldCases: [Int: [PebbleCase]] = [:]
  private var examined: Set<Int> = []
  private var forecast: HistoryForecast

  /// The pebble that reports why the run was cancelled, and the reason as a sentence. This is set
  /// if the history became too large while the pebble was running and no pebble was ready. If the
  /// pebble does not succeed, it fails with this reason.
  private var outgrown: (pebble: Int, problem: String)?

  /// The latest time of an applied event, as an offset from the start of the run.
  private(set) var now = Duration.zero

  /// The teardown of a cancelled run; `nil` if the run was not cancelled, or if some of its bodies
  /// have not ended.
  private(set) var teardown: RunTeardown?

  /// Facts about calls that the scheduler does not record, such as when and how often each call was
  /// made, keyed by the position of the pebble.
  private(set) var calls: [Int: BodyCalls] = [:]

  struct BodyCalls {
    var started: Duration
    var attempts: Int
    var lastError: String?
  }

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - first: The first event of the history.
  ///   - input: The graph and the settings.
  ///   - execution: The execution of the run.
  ///   - isInputRecorded: Whether the history contains the input.
  /// - Throws: `ReplayError` if the run is impossible.
  init(
    _ first: TemporalHistoryEvent, _ input: RunInput, _ execution: TemporalWorkflowExecution,
    isInputRecorded: Bool = true
  ) throws(ReplayError) {
    model = input.model
    settings = input.settings
    given = input.outputs
    self.isInputRecorded = isInputRecorded
    forecast = HistoryForecast(largest: settings.largestHistory)
    names = model.names
    positions = Dictionary(zip(names, names.indices)) { first, _ in first }
    start = first.eventTime.sinceEpoch
    let origin = first.workflowExecutionStartedEventAttributes.originalExecutionRunID
    run = RunIdentifier("\(execution.workflowID)/\(origin.isEmpty ? execution.runID : origin)")
    do {
      scheduler = try model.scheduler(
        given: try settings.givenCases(positions),
        disabling: settings.disabled.map { .named($0) },
        only: settings.only?.map { .named($0) }, for: run)
    } catch {
      throw ReplayError("the pond cannot be run here: \(error)")
    }
    try take(settings.given ?? [])
    if let limit = settings.within { deadline = .wanted(.milliseconds(limit)) }
    try refuseLargeInputs(at: .zero)
    beginTeardown(at: .zero)
  }

  /// Stores the given values of the run.
  ///
  /// - Throws: `ReplayError` if a value is missing.
  private func take(_ values: [RunSettings.GivenOutput]) throws(ReplayError) {
    for value in values {
      guard let pebble = positions[value.pebble] else { continue }
      outputs[pebble] = value.output.map { given[$0] }
      if scheduler.outcome(of: pebble)?.isSucceeded == true { note(value.cases, of: pebble) }
    }
    let known = Set(values.map(\.pebble))
    for (pebble, name) in names.enumerated()
    where model.isGiven(at: pebble) && scheduler.outcome(of: pebble)?.isSucceeded == true {
      guard known.contains(name) else {
        throw ReplayError("the run is given no value for \(name.cut(to: 60))")
      }
    }
  }

  /// Applies the next event.
  ///
  /// - Throws: `ReplayError` if the event is impossible in this run. The replay must not be used
  ///   after an error.
  func apply(_ event: TemporalHistoryEvent) throws(ReplayError) {
    guard event.eventID == lastEvent + 1 else {
      throw ReplayError("event \(event.eventID) of the history follows event \(lastEvent)")
    }
    lastEvent = event.eventID
    let time = event.eventTime.sinceEpoch - start
    now = max(now, time)
    do {
      try apply(event.attributes, of: event.eventID, at: time)
    } catch let error as SchedulerError {
      throw ReplayError("event \(event.eventID) does not fit the pond: \(error)")
    } catch let error as ReplayError {
      throw error
    } catch {
      throw ReplayError("event \(event.eventID): \(error)")
    }
    try refuseLargeInputs(at: time)
    beginTeardown(at: time)
  }

  private func apply(
    _ attributes: TemporalHistoryEvent.OneOf_Attributes?, of event: Int64, at time: Duration
  ) throws {
    switch attributes {
    case .workflowTaskStartedEventAttributes(let task):
      try cancelIfOutgrown(Int(clamping: task.historySizeBytes), at: time)
    case .activityTaskScheduledEventAttributes(let scheduled):
      pending[event] = try begun(scheduled.activityID, at: time)
    case .activityTaskStartedEventAttributes(let started):
      guard let call = pending[started.scheduledEventID] else { return }
      if call.isTeardown {
        teardown?.started(call.pebble, at: time)
      } else {
        calls[call.pebble] = BodyCalls(
          started: time, attempts: Int(started.attempt),
          lastError: started.hasLastFailure ? started.lastFailure.sentence : nil)
      }
    case .activityTaskCompletedEventAttributes(let completed):
      let call = try ended(completed.scheduledEventID)
      if call.isTeardown {
        try teardown?.ended(call.pebble, with: nil, at: time)
      } else {
        let output = self.output(of: call.pebble, completed.result)
        outputs[call.pebble] = output
        if model.hasTeardown(at: call.pebble) { forecast.teardowns += output?.data.count ?? 0 }
        let cases = try self.cases(of: call.pebble, completed.result)
        try scheduler.settle(call.pebble, succeeded: true, cases: cases, at: time)
        note(cases, of: call.pebble)
      }
    case .activityTaskFailedEventAttributes(let failed):
      try fail(failed.scheduledEventID, RecordedError(failed.failure.sentence), time) { pebble in
        try cases(of: pebble, failed.failure)
      }
    case .activityTaskTimedOutEventAttributes(let timedOut):
      try fail(timedOut.scheduledEventID, RecordedError(timedOut.failure.sentence), time) {
        pebble in casesOfTimeout(of: pebble, timedOut.failure)
      }
    case .activityTaskCanceledEventAttributes(let canceled):
      try fail(canceled.scheduledEventID, RecordedError("it was cancelled"), time) { pebble in
        try cases(ofCancelled: pebble, canceled.details)
      }
    case .activityTaskCancelRequestedEventAttributes(let requested):
      pending[requested.scheduledEventID]?.isCancelRequested = true
    case .markerRecordedEventAttributes(let marker):
      if marker.markerName == Self.inputMarker { isInputRecorded = true }
    case .timerStartedEventAttributes(let timer):
      if timer.timerID == Self.deadlineTimer { deadline = .started }
    case .timerFiredEventAttributes(let timer):
      if timer.timerID == Self.deadlineTimer { scheduler.cancel(.deadlinePassed, at: time) }
    case .workflowExecutionCancelRequestedEventAttributes:
      scheduler.cancel(.requested, at: time)
    default:
      // Events about how decisions were made and handed over, and events that deciders do not
      // receive.
      break
    }
  }

  /// Records that a call was scheduled, and returns it. The call is a teardown if all bodies have
  /// ended, and a body otherwise.
  private func begun(_ activity: String, at time: Duration) throws -> Pending {
    let isTeardown = teardown != nil
    let name = isTeardown ? ScheduledBody.pebble(tornDownBy: activity) : activity
    guard let name, let pebble = positions[name] else {
      throw ReplayError("the pond has no pebble \"\(name ?? activity)\"")
    }
    if isTeardown {
      try teardown?.scheduled(pebble, at: time)
    } else {
      try scheduler.start(pebble, at: time)
      forecast.inputs -= inputSize(of: pebble)
    }
    return Pending(pebble: pebble, isTeardown: isTeardown)
  }

  /// Removes and returns a pending call that has ended.
  private func ended(_ event: Int64) throws(ReplayError) -> Pending {
    guard let call = pending.removeValue(forKey: event) else {
      throw ReplayError("a body has ended, but event \(event) did not schedule one")
    }
    return call
  }

  private func fail(
    _ event: Int64, _ error: RecordedError, _ time: Duration,
    holding cases: (Int) throws -> [PebbleCase]
  ) throws {
    let call = try ended(event)
    if call.isTeardown {
      try teardown?.ended(call.pebble, with: error.description, at: time)
    } else {
      let reason = outgrown.flatMap { $0.pebble == call.pebble ? RecordedError($0.problem) : nil }
      let cases = try cases(call.pebble)
      try scheduler.settle(call.pebble, failedWith: reason ?? error, cases: cases, at: time)
      note(cases, of: call.pebble)
    }
  }

  private func note(_ cases: [PebbleCase], of pebble: Int) {
    if !cases.isEmpty { heldCases[pebble] = cases }
  }

  /// Begins the teardown of a cancelled run if its last body has ended. In a single process, a
  /// teardown begins at the same point.
  private func beginTeardown(at time: Duration) {
    guard teardown == nil, scheduler.isFinished, scheduler.cancellation != nil else { return }
    teardown = RunTeardown(scheduler.teardown(), at: time)
  }

  /// Fails the ready pebbles whose inputs may be too large for the server, which would reject calls
  /// with such inputs again and again. The decision depends only on the history, so every replay
  /// gives the same result.
  private func refuseLargeInputs(at time: Duration) throws(ReplayError) {
    var fresh = newlyReady()
    while !fresh.isEmpty {
      for pebble in fresh {
        let size = inputSize(of: pebble)
        if size <= settings.largestPayload {
          forecast.inputs += size
        } else if scheduler.ready.contains(pebble) {
          // The refusal of an earlier pebble may have cancelled this one.
          try refuse(pebble, size, at: time)
        }
      }
      fresh = newlyReady()
    }
  }

  /// Returns an estimate of the maximum size of a body's input, in bytes. The input contains the
  /// outputs, names and errors of the pebbles that the body reads. Names and errors count twice,
  /// because JSON may double their size.
  private func inputSize(of pebble: Int) -> Int {
    scheduler.inputs(of: pebble).reduce(0) { size, input in
      var text = names[input].utf8.count + 50
      if case .failed(let error)? = scheduler.outcome(of: input) { text += "\(error)".utf8.count }
      return size + (outputs[input]?.data.count ?? 0) + 2 * text
    }
  }

  /// Cancels the run if its history is becoming too large, so that the server does not end the run
  /// without a teardown.
  ///
  /// The next ready pebble fails with the reason. If no pebble is ready, but teardowns would
  /// receive outputs, a running pebble is chosen instead. This pebble is cancelled with the run. If
  /// it does not succeed, it fails with the reason.
  ///
  /// - Parameters:
  ///   - size: The current size of the history, in bytes.
  ///   - time: The time at which the history had this size.
  /// - Throws: `SchedulerError` if the ready pebble cannot be started.
  private func cancelIfOutgrown(_ size: Int, at time: Duration) throws {
    guard scheduler.cancellation == nil, let problem = forecast.problem(at: size) else { return }
    if let next = scheduler.ready.first {
      try scheduler.start(next, at: time)
      // Cancelled before the failure, so that no pebble starts because of the failure.
      scheduler.cancel(.failure(of: names[next]), at: time)
      let error = RecordedError("it was not called, as \(problem)")
      try scheduler.settle(next, failedWith: error, cases: [], at: time)
    } else if let running = scheduler.running.min(), forecast.teardowns > 0 {
      outgrown = (running, "it was cancelled, as \(problem)")
      // Not for a failure: the body may still succeed.
      scheduler.cancel(.journalBroken("would grow too large, as \(problem)"), at: time)
    }
  }

  private func refuse(_ pebble: Int, _ size: Int, at time: Duration) throws(ReplayError) {
    let error = RecordedError(
      "its inputs have \(size) bytes together, more than the limit of \(settings.largestPayload): "
        + "store large values, and pass on their places")
    do {
      try scheduler.start(pebble, at: time)
      try scheduler.settle(pebble, failedWith: error, cases: [], at: time)
    } catch {
      throw ReplayError("\(error)")
    }
  }

  /// Returns the pebbles that have become ready since the last call.
  private func newlyReady() -> [Int] {
    // New ones follow the ones that were ready before.
    let fresh = scheduler.ready.reversed().prefix { !examined.contains($0) }
    examined.formUnion(fresh)
    return fresh.reversed()
  }
}

extension TemporalFailure {
  /// The message of the failure or, for a timeout, a sentence that states whether the worker was
  /// lost or late.
  var sentence: String {
    guard case .timeoutFailureInfo(let timeout) = failureInfo else { return message }
    let last = hasCause ? "; before that: \(cause.message)" : ""
    return switch timeout.timeoutType {
    case .heartbeat: "its worker was lost\(last)"
    case .startToClose: "its worker did not report its end in time\(last)"
    case .unspecified, .scheduleToStart, .scheduleToClose, .UNRECOGNIZED: "\(message)\(last)"
    }
  }
}

extension RunSettings {
  /// Returns the cases that hold for the given values, keyed by the position of the pebble.
  fileprivate func givenCases(
    _ positions: [String: Int]
  ) throws(ReplayError) -> [Int: [PebbleCase]] {
    var cases: [Int: [PebbleCase]] = [:]
    for value in given ?? [] {
      let name = value.pebble.cut(to: 60)
      guard let pebble = positions[value.pebble] else {
        throw ReplayError("the run is given a value for \(name), which the pond does not have")
      }
      guard cases.updateValue(value.cases, forKey: pebble) == nil else {
        throw ReplayError("the run is given two values for \(name)")
      }
    }
    return cases
  }
}
