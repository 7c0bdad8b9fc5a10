import Foundation
import Pebbles
import PebblesAnalysis
import PebblesDurable
import TemporalWire

/// How a run on Temporal goes.
public struct TemporalRunOptions: Sendable {
  /// The queue whose workers run it.
  public var taskQueue = Temporal.usualTaskQueue

  /// How long the run takes at the latest; then it is cancelled. `nil` for as long as it likes.
  public var within: Duration?

  /// After how long without a sign of life the worker of a body is taken for lost.
  public var heartbeat = Duration.seconds(10)

  /// The pebbles that take no part. What `.enabled` says is not asked for.
  public var disabling: [any PebbleIdentifying] = []

  /// The pebbles that fail if the worker of their body is lost: those that must not be called
  /// again. Neither are their teardowns then.
  public var failingOnWorkerLoss: [any PebbleIdentifying] = []

  /// Turns what the run is given into bytes: as the workers of the queue do with outputs.
  public var coder: any OutputCoder = JSONOutputs()

  /// The usual ones.
  public init() {}
}

extension Pond {
  /// Starts a durable run of the pond, or joins the one of this identifier that is under way.
  ///
  /// The graph goes to the server, with what the run is given, so both stay what they are now for
  /// this run, whatever is deployed while it goes on. Bodies are called by workers that have a pond
  /// of this name. Who joins a run changes nothing of what it was given.
  ///
  /// - Parameters:
  ///   - temporal: Where.
  ///   - id: What the run is called; a second one of this name under way is the same run.
  ///   - values: What it is given: small values, as outputs are. Their cases are asked here.
  ///   - targets: What the run is of, and all that this needs; if `nil`, everything.
  ///   - options: How it goes.
  /// - Returns: The run.
  /// - Throws: `PondError` if the pond is defined wrongly, if what the run is of is no pebble of
  ///   it, or if the run is not given each value that it needs, once; `AttemptError` for a value
  ///   that cannot be encoded; ``TemporalError`` with all that cannot be run like this, or if a run
  ///   of another pond has this identifier. Nothing has been started then.
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
    let payloads = try await temporal.codec.encode(json: input)
    try Self.checkSize(payloads)
    var request = TemporalStartWorkflowExecutionRequest()
    request.namespace = temporal.namespace
    request.identity = temporal.identity
    // The same in all calls that become necessary, so that only one of them starts something.
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

  /// Runs the pond durably and waits for its end; see
  /// ``Pebbles/Pond/start(on:id:given:only:_:)``.
  ///
  /// - Parameters:
  ///   - temporal: Where.
  ///   - id: What the run is called.
  ///   - values: What it is given.
  ///   - targets: What the run is of, and all that this needs; if `nil`, everything.
  ///   - options: How it goes.
  /// - Returns: What happened.
  /// - Throws: What the start and ``TemporalRun/report()`` throw.
  public func run(
    on temporal: Temporal, id: String, given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    _ options: TemporalRunOptions = TemporalRunOptions()
  ) async throws -> RecordedRun {
    try await start(on: temporal, id: id, given: values, only: targets, options).report()
  }

  private static func checkSize(_ payloads: TemporalPayloads) throws(TemporalError) {
    let size = payloads.payloads.reduce(0) { $0 + $1.data.count }
    guard size <= RunSettings.usualLargestPayload - (64 << 10) else {
      throw TemporalError(
        "the graph of the pond and the given values have \(size) bytes, more than the server "
          + "stores for a run; run parts of it as ponds of their own, and give the places of large "
          + "values instead of the values")
    }
  }
}

extension RunInput {
  /// The events that a server keeps of one run, at most.
  private static let mostEvents = 51_200

  /// The events that a call costs, if no two are decided on together: three of its own, and three
  /// of the decision that it leads to.
  private static let eventsPerCall = 6

  /// The input of a run.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - options: How it goes.
  ///   - values: What it is given; `nil` if that is not known yet.
  ///   - targets: What it is of; `nil` for everything.
  ///   - known: What is known to be wrong with its bodies.
  /// - Throws: `TemporalError` with all that cannot be run like this.
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
      // Of nothing, nothing has to be given.
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

  /// The names that are too long for calls of bodies and teardowns.
  private static func longNames(in model: PondModel) -> [String] {
    model.names.enumerated().compactMap { position, name in
      let teardown = model.hasTeardown(at: position) ? ScheduledBody.teardownPrefix.utf8.count : 0
      let most = ScheduledBody.longestName - teardown
      guard name.utf8.count > most else { return nil }
      return "the name of \(name.cut(to: 40)) has \(name.utf8.count) bytes, but the server takes "
        + "\(most); give it a shorter name"
    }
  }

  /// How long the cases of one pebble may be together, in bytes of JSON: they are told beside its
  /// output, and with what it fails with.
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
  /// Refuses a pond with all that is wrong with it; nothing, if nothing is.
  static func refuse(_ pond: String, _ faults: [String]) throws(TemporalError) {
    guard !faults.isEmpty else { return }
    throw TemporalError(
      "the pond \"\(pond)\" cannot be run on Temporal:\n"
        + faults.map { "  - \($0)" }.joined(separator: "\n"))
  }
}

extension Duration {
  /// Whole milliseconds, at least one; at most what fits.
  fileprivate var inMilliseconds: Int64 {
    let (seconds, isOverflown) = components.seconds.multipliedReportingOverflow(by: 1_000)
    guard !isOverflown else { return .max }
    return max(1, seconds + components.attoseconds / 1_000_000_000_000_000)
  }
}
