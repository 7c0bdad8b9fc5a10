import Foundation
import Pebbles
import PebblesAnalysis
import PebblesDurable
import TemporalWire

/// The options of a run on Temporal.
public struct TemporalRunOptions: Sendable {
  /// The task queue of the workers.
  public var taskQueue = Temporal.usualTaskQueue

  /// The time after which the run is cancelled; `nil` for no limit.
  public var within: Duration?

  /// The time without a heartbeat after which a body's worker counts as lost.
  public var heartbeat = Duration.seconds(10)

  /// The disabled pebbles. The `.enabled` traits of pebbles are ignored.
  public var disabling: [any PebbleIdentifying] = []

  /// The pebbles that fail if their body's worker is lost, because they must not be called again.
  /// Their teardowns are not called again either.
  public var failingOnWorkerLoss: [any PebbleIdentifying] = []

  /// The coder that encodes the given values. The workers of the task queue must use the same
  /// coder.
  public var coder: any OutputCoder = JSONOutputs()

  /// Creates the default options.
  public init() {}
}

extension Pond {
  /// Starts a durable run of the pond, or joins a run under way that has the same identifier.
  ///
  /// The graph and the given values are sent to the server. They do not change during the run, even
  /// if another version of the pond is deployed in the meantime. Bodies are called by workers that
  /// have a pond with this name. Joining a run does not change its given values.
  ///
  /// - Parameters:
  ///   - temporal: The namespace to run in.
  ///   - id: The identifier of the run. If a run with this identifier is under way, the call joins
  ///     it.
  ///   - values: The given values. Like outputs, they should be small. Their cases are determined
  ///     by this call.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - options: The options of the run.
  /// - Returns: The run.
  /// - Throws: `PondError` if the pond has errors in its definition, if a target is not one of its
  ///   pebbles, or if a needed value is missing or given twice; `AttemptError` if a value cannot be
  ///   encoded; ``TemporalError`` if the pond cannot run on Temporal (the error lists all reasons),
  ///   if the identifier belongs to a run of another pond, or if the server refuses the run or does
  ///   not answer; `CancellationError` if the task is cancelled. If the server did not answer or
  ///   the task was cancelled, a run may have been started. After any other error, no run has been
  ///   started.
  public func start(
    on temporal: Temporal, id: String, given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    _ options: TemporalRunOptions = TemporalRunOptions()
  ) async throws -> TemporalRun {
    let given = try encoded(given: values, only: targets, coder: options.coder)
    let input = try await RunInput(
      try model(), options, given: given, only: targets,
      faults: undeliverableOutputs().map(\.description)
    ).given(given, temporal.codec)
    let payloads = try await input.payloads(temporal.codec)
    var request = TemporalStartWorkflowExecutionRequest()
    request.namespace = temporal.namespace
    request.identity = temporal.identity
    // The same identifier in all repetitions of the call, so that only one of them starts a run.
    request.requestID = UUID().uuidString
    request.workflowID = id
    request.workflowType.name = name
    request.taskQueue = .normal(options.taskQueue)
    request.input = payloads
    request.memo.fields[RunMemo.pond] = try await temporal.codec.encode(
      json: try JSONEncoder().encode(name))
    request.workflowIDConflictPolicy = .useExisting
    let response: TemporalStartWorkflowExecutionResponse
    response = try await temporal.explaining("the run \(id) cannot be started") {
      [request] in try await temporal.call("StartWorkflowExecution", request)
    }
    let run = TemporalRun(temporal, id: id, runID: response.runID, isNew: response.started)
    if !run.isNew, let other = try await run.pondName(), other != name {
      throw TemporalError(
        "the run \(id) cannot be started: a run of the pond \"\(other)\" already has that name")
    }
    return run
  }

  /// Runs the pond durably and waits for its end; see ``Pebbles/Pond/start(on:id:given:only:_:)``.
  ///
  /// - Parameters:
  ///   - temporal: The namespace to run in.
  ///   - id: The identifier of the run.
  ///   - values: The given values.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - options: The options of the run.
  /// - Returns: The recorded run.
  /// - Throws: Any error thrown by ``Pebbles/Pond/start(on:id:given:only:_:)`` or
  ///   ``TemporalRun/report()``.
  public func run(
    on temporal: Temporal, id: String, given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    _ options: TemporalRunOptions = TemporalRunOptions()
  ) async throws -> RecordedRun {
    try await start(on: temporal, id: id, given: values, only: targets, options).report()
  }
}

extension RunInput {
  /// Returns the input, encoded as the payloads that the server stores.
  ///
  /// - Parameter codec: The codec that encodes the input.
  /// - Returns: The payloads.
  /// - Throws: `TemporalError` if the payloads are too large for the server; any error thrown by
  ///   the codec.
  func payloads(_ codec: any PayloadCodec) async throws -> TemporalPayloads {
    let payloads = try await codec.encode(json: self)
    let size = payloads.payloads.reduce(0) { $0 + $1.data.count }
    guard size <= RunSettings.usualLargestPayload - (64 << 10) else {
      throw TemporalError(
        "the graph of the pond and the given values have \(size) bytes, more than the server "
          + "stores for a run; run parts of it as ponds of their own, and give the places of large "
          + "values instead of the values")
    }
    return payloads
  }

  /// The maximum number of events in the history of a run; the limit of a default server.
  private static let mostEvents = 51_200

  /// The number of events that a call adds to the history if each call is followed by its own
  /// decision: three for the call, and three for the decision.
  private static let eventsPerCall = 6

  /// Creates the input of a run.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - options: The options of the run.
  ///   - values: The given values; `nil` if they are not known yet.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - known: The problems of the pond that are already known.
  /// - Throws: `TemporalError`, listing all reasons, if the pond cannot run on Temporal.
  init(
    _ model: PondModel, _ options: TemporalRunOptions, given values: [String: AttemptResult]? = nil,
    only targets: [any PebbleIdentifying]? = nil, faults known: [String] = []
  ) throws(TemporalError) {
    var settings = RunSettings()
    var faults = known
    settings.disabled = Self.names(options.disabling, in: model, &faults)
    settings.only = targets.map { Self.names($0, in: model, &faults) }
    settings.failingOnLoss = Set(Self.names(options.failingOnWorkerLoss, in: model, &faults))
    if let limit = options.within {
      if limit < .milliseconds(1) {
        faults.append("its time limit is \(limit); make it a millisecond or more")
      }
      settings.within = limit.inMilliseconds
    }
    if options.heartbeat < .seconds(1) {
      faults.append("its heartbeat is \(options.heartbeat); make it a second or more")
    }
    settings.heartbeat = options.heartbeat.inMilliseconds
    do {
      var cases: [Int: [PebbleCase]] = [:]
      for (name, value) in values ?? [:] {
        if let position = model.position(of: .named(name)) { cases[position] = value.cases }
      }
      // An empty run needs no given values.
      _ = try model.scheduler(given: cases, only: values == nil ? [] : targets)
    } catch {
      faults.append("\(error)")
    }
    let services = (0..<model.count).filter(model.isService(at:)).prefix(3)
    faults += services.map { position in
      "\(model.names[position]) is a service, and a service cannot outlive its worker"
    }
    faults += Self.longNames(in: model)
    faults += Self.longCases(in: model)
    let teardowns = (0..<model.count).count { model.hasTeardown(at: $0) }
    let bodies = (0..<model.count).count { !model.isGiven(at: $0) }
    let events = (bodies + teardowns) * Self.eventsPerCall
    if events > Self.mostEvents {
      faults.append(
        "its \(bodies) pebbles may cost \(events) events, but the server keeps "
          + "\(Self.mostEvents) per run; run parts of it as ponds of their own")
    }
    try TemporalError.refuse(model.name, faults)
    self.init(model, settings)
  }

  /// Returns a sentence for each pebble whose name is too long for calling its body and its
  /// teardown.
  private static func longNames(in model: PondModel) -> [String] {
    model.names.enumerated().compactMap { position, name in
      let teardown = model.hasTeardown(at: position) ? ScheduledBody.teardownPrefix.utf8.count : 0
      let most = ScheduledBody.longestName - teardown
      guard name.utf8.count > most else { return nil }
      return "the name of \(name.cut(to: 40)) has \(name.utf8.count) bytes, but the server takes "
        + "\(most); give it a shorter name"
    }
  }

  /// The maximum total size of the cases of a pebble, in bytes of JSON. The cases are sent together
  /// with the output or the failure of the pebble.
  private static let longestCases = 32 << 10

  private static func longCases(in model: PondModel) -> [String] {
    model.names.enumerated().compactMap { position, name in
      let cases = model.cases(at: position)
      guard !cases.isEmpty, let size = try? JSONEncoder().encode(cases).count,
        size > longestCases
      else { return nil }
      return "the cases of \(name.cut(to: 40)) have \(size) bytes together, but may have "
        + "\(longestCases); give them shorter names"
    }
  }

  private static func names(
    _ pebbles: [any PebbleIdentifying], in model: PondModel, _ faults: inout [String]
  ) -> [String] {
    let names = model.names
    return pebbles.compactMap { pebble in
      if let position = model.position(of: pebble) { return names[position] }
      faults.append("it has no pebble \"\(pebble.pebbleID)\"")
      return nil
    }.sorted()
  }
}

extension TemporalError {
  /// Throws an error that lists the given problems of a pond; does nothing if there are none.
  static func refuse(_ pond: String, _ faults: [String]) throws(TemporalError) {
    guard !faults.isEmpty else { return }
    throw TemporalError(
      "the pond \"\(pond)\" cannot be run on Temporal:\n"
        + faults.map { "  - \($0)" }.joined(separator: "\n"))
  }
}

extension Duration {
  /// The duration in whole milliseconds, at least 1 and at most `Int64.max`.
  fileprivate var inMilliseconds: Int64 {
    let bounded = min(max(self, .milliseconds(1)), .milliseconds(Int64.max)).components
    return bounded.seconds * 1_000 + bounded.attoseconds / 1_000_000_000_000_000
  }
}
