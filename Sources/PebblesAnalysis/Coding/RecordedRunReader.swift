import Pebbles

/// A reader for runs in the format described in the article "The JSON Format".
struct RecordedRunReader {
  static let format = "pond run"
  static let version = 1

  /// The maximum depth of nested runs. Nested runs are read recursively, so the maximum is low
  /// enough for any thread's stack.
  private static let deepestNested = 32

  private var ponds: PondModelReader

  /// Reads a run from the root of a document.
  static func run(_ root: JSONValue) throws(JSONError) -> RecordedRun {
    var reader = RecordedRunReader(ponds: PondModelReader(allowance: root.limits.pebbles))
    return try reader.read(root, depth: 0)
  }

  private mutating func read(_ value: JSONValue, depth: Int) throws(JSONError) -> RecordedRun {
    guard depth <= Self.deepestNested else {
      throw value.fault("runs are nested more than \(Self.deepestNested) deep")
    }
    try value.checkFormat(Self.format, version: Self.version)
    let fields = try value.object([
      "format", "version", "makespan", "cancellation", "pond", "pebbles", "shutdown",
      "heldPredicates", "nested", "omittedNestedRuns", "only", "goalReached", "resumed",
      "deciders", "origin", "unended", "journalProblem",
    ])
    let model = try ponds.read(fields.required("pond"))
    let list = try fields.required("pebbles")
    // This key was written before the first release, always with an empty list.
    if let held = fields["heldPredicates"] {
      for value in try held.elements() { throw value.predicateRefusal }
    }
    var run = RecordedRun(
      unchecked: model, pebbles: try pebbles(list, of: model),
      makespan: try fields.required("makespan").duration(),
      cancellation: try fields["cancellation"].map(cancellation),
      shutdown: try fields["shutdown"].map { value throws(JSONError) in
        try shutdown(value, of: model)
      },
      nested: try nested(fields.required("nested"), of: model, depth: depth),
      omittedNestedRuns: try fields["omittedNestedRuns"]?.integer(in: 0...Int.max) ?? 0,
      deciders: try fields["deciders"].map(deciders) ?? [:])
    run.journalProblem = try fields["journalProblem"]?.string()
    // The value is ignored, because it follows from the outcomes.
    _ = try fields["goalReached"]?.bool()
    if let fault = run.fault {
      throw try Self.place(of: fault, in: list).fault(fault.description)
    }
    let whole = run.from(try fields["origin"].map(origin))
    return try fields["unended"].map { list throws(JSONError) in
      whole.unended(try unended(list, of: run.pebbles))
    } ?? whole
  }

  private func origin(_ value: JSONValue) throws(JSONError) -> RunOrigin {
    let fields = try value.object(["started", "host", "version"])
    return RunOrigin(
      started: try fields["started"]?.duration(), host: try fields["host"]?.string(),
      version: try fields["version"]?.string())
  }

  /// Reads the operands that decided gates, keyed by gate.
  ///
  /// The operands are not checked against the pond here. If any operand is impossible, the replay
  /// ignores all of them.
  private func deciders(_ list: JSONValue) throws(JSONError) -> [Int: Int] {
    var deciders: [Int: Int] = [:]
    for value in try list.elements() {
      let fields = try value.object(["gate", "by"])
      let gate = try fields.required("gate")
      let known = deciders.updateValue(
        try fields.required("by").integer(in: 0...Int.max),
        forKey: try gate.integer(in: 0...Int.max))
      if known != nil { throw gate.fault("the gate was decided twice") }
    }
    return deciders
  }

  /// Reads the states of the pebbles that had not ended, keyed by position.
  private func unended(
    _ list: JSONValue, of pebbles: [RecordedPebble]
  ) throws(JSONError) -> [Int: String] {
    var states: [Int: String] = [:]
    for value in try list.elements() {
      let fields = try value.object(["pebble", "state"])
      let pebble = try fields.required("pebble")
      let position = try pebble.position(in: pebbles.count, "pebble")
      guard pebbles[position].outcome == .skipped(.cancelled) else {
        throw pebble.fault("only a pebble that counts as cancelled had not ended")
      }
      let known = states.updateValue(try fields.required("state").string(), forKey: position)
      if known != nil { throw pebble.fault("this pebble is here twice") }
    }
    return states
  }

  private static func place(
    of fault: RecordingError, in list: JSONValue
  ) throws(JSONError) -> JSONValue {
    for (position, value) in try list.elements().enumerated() where position == fault.pebble {
      return value
    }
    return list
  }

  private mutating func nested(
    _ list: JSONValue, of model: PondModel, depth: Int
  ) throws(JSONError) -> [NestedRun] {
    var nested: [NestedRun] = []
    for value in try list.elements() {
      let fields = try value.object(["pebble", "run"])
      nested.append(
        NestedRun(
          pebble: try fields.required("pebble").position(in: model.count, "pebble"),
          run: try read(fields.required("run"), depth: depth + 1)))
    }
    return nested
  }

  // MARK: Pebbles

  private static let pebbleKeys: [StaticString] = [
    "name", "outcome", "ready", "started", "finished", "decidedBy", "error", "reason", "waitingOn",
    "attempts", "stillRunning", "cancelled", "service", "servicesDownInside",
    "lateTeardownErrors",
    "case", "blocked", "kept", "given",
  ]

  private func pebbles(
    _ list: JSONValue, of model: PondModel
  ) throws(JSONError) -> [RecordedPebble] {
    var pebbles: [RecordedPebble] = []
    for value in try list.elements() {
      guard pebbles.count < model.count else {
        throw value.fault("the run has more pebbles than its pond, which has \(model.count)")
      }
      pebbles.append(try pebble(value, at: pebbles.count, of: model))
    }
    return pebbles
  }

  private func pebble(
    _ value: JSONValue, at position: Int, of model: PondModel
  ) throws(JSONError) -> RecordedPebble {
    let fields = try value.object(Self.pebbleKeys)
    let decidedBy = try fields["decidedBy"]?.position(in: model.count, "pebble")
    let pebble = RecordedPebble(
      name: try fields.required("name").string(),
      outcome: try outcome(fields, decidedBy: decidedBy, of: model),
      ready: try fields["ready"]?.duration(), started: try fields["started"]?.duration(),
      finished: try fields.required("finished").duration(), decidedBy: decidedBy,
      attempts: try fields["attempts"].map(attempts) ?? [],
      isStillRunning: try fields["stillRunning"]?.bool() ?? false,
      wasCancelled: try fields["cancelled"]?.bool() ?? false,
      service: try fields["service"].map(service),
      servicesDownInside: try fields["servicesDownInside"].map(texts) ?? [],
      lateTeardownErrors: try fields["lateTeardownErrors"].map(texts) ?? [],
      cases: try fields["case"].map { value throws(JSONError) in
        try cases(value, ofPebbleAt: position, of: model)
      } ?? [],
      keptFrom: try fields["kept"]?.string())
    guard fields["attempts"] == nil else { return pebble }
    return pebble.called(pebble.usualAttempts(isGiven: model.isGiven(at: position)))
  }

  private func cases(
    _ list: JSONValue, ofPebbleAt position: Int, of model: PondModel
  ) throws(JSONError) -> [PebbleCase] {
    let known = model.pond.graph.cases[position]?.cases ?? []
    var places: Set<Int> = []
    for value in try list.elements() {
      let place = try value.position(in: known.count, "case")
      guard places.insert(place).inserted else { throw value.fault("this case is here twice") }
    }
    return places.sorted().map { known[$0] }
  }

  private func outcome(
    _ fields: JSONObject, decidedBy: Int?, of model: PondModel
  ) throws(JSONError) -> RecordedOutcome {
    let outcome = try fields.required("outcome")
    let word = try outcome.string()
    // A key that belongs to one outcome must not appear with another outcome.
    let owners: [(StaticString, Event)] = [
      ("error", .failed), ("reason", .skipped), ("blocked", .skipped),
    ]
    // The value is ignored, because it follows from the outcomes.
    _ = try fields["blocked"]?.bool()
    for (key, owner) in owners {
      if let value = fields[key], word != owner.word {
        throw value.fault("a pebble that \(word) has no \"\(key)\"")
      }
    }
    let waitingOn = fields["waitingOn"]
    if let waitingOn, try fields["reason"]?.string() != "stalled" {
      throw waitingOn.fault("only a pebble that stalled has \"waitingOn\"")
    }
    switch try outcome.event() {
    case .succeeded: return .succeeded
    case .failed: return .failed(try fields.required("error").string())
    case .skipped: return .skipped(try reason(fields, decidedBy: decidedBy, of: model))
    }
  }

  private func reason(
    _ fields: JSONObject, decidedBy: Int?, of model: PondModel
  ) throws(JSONError) -> SkipReason {
    let reason = try fields.required("reason")
    let names = model.pond.graph.names
    switch try reason.string() {
    case "conditionFalse": return .conditionFalse(decidedBy: decidedBy.map { names[$0] })
    case "cancelled": return .cancelled
    case "disabled": return .disabled
    case "notAskedFor": return .notAskedFor
    case "resourceHeld":
      guard let decidedBy else {
        throw reason.fault("\"decidedBy\", the pebble that holds the resource, is missing")
      }
      return .resourceHeld(by: names[decidedBy])
    case "stalled":
      var awaited: [String] = []
      for value in try fields.required("waitingOn").elements() {
        awaited.append(names[try value.position(in: names.count, "pebble")])
      }
      return .stalled(waitingOn: awaited)
    default:
      throw reason.fault(
        "there should be \"conditionFalse\", \"stalled\", \"cancelled\", \"disabled\", "
          + "\"notAskedFor\" or \"resourceHeld\" here")
    }
  }

  private func attempts(_ list: JSONValue) throws(JSONError) -> [RecordedAttempt] {
    var attempts: [RecordedAttempt] = []
    for value in try list.elements() {
      let fields = try value.object(["started", "finished", "error"])
      attempts.append(
        RecordedAttempt(
          started: try fields.required("started").duration(),
          finished: try fields.required("finished").duration(),
          error: try fields["error"]?.string()))
    }
    return attempts
  }

  private func service(_ value: JSONValue) throws(JSONError) -> RecordedService {
    let fields = try value.object(["end", "down", "restarts", "restartCount"])
    let restarts = try fields["restarts"].map(restarts) ?? []
    return RecordedService(
      end: try fields["end"].map(serviceEnd), isDown: try fields["down"]?.bool() ?? false,
      restarts: restarts,
      restartCount: try fields["restartCount"]?.integer(in: restarts.count...Int.max))
  }

  private func serviceEnd(_ value: JSONValue) throws(JSONError) -> RecordedServiceEnd {
    let fields = try value.object(["time", "asked", "error"])
    return RecordedServiceEnd(
      time: try fields.required("time").duration(), error: try fields["error"]?.string(),
      wasAsked: try fields["asked"]?.bool() ?? false)
  }

  private func restarts(_ list: JSONValue) throws(JSONError) -> [RecordedServiceRestart] {
    var restarts: [RecordedServiceRestart] = []
    for value in try list.elements() {
      let fields = try value.object(["time", "attempt", "error", "with"])
      restarts.append(
        RecordedServiceRestart(
          time: try fields.required("time").duration(),
          attempt: try fields.required("attempt").integer(in: 1...Int.max),
          error: try fields["error"]?.string()))
    }
    return restarts
  }

  private func texts(_ list: JSONValue) throws(JSONError) -> [String] {
    var texts: [String] = []
    for value in try list.elements() { texts.append(try value.string()) }
    return texts
  }

  // MARK: The end

  private func cancellation(_ value: JSONValue) throws(JSONError) -> RecordedCancellation {
    let fields = try value.object(["reason", "orderly"])
    return RecordedCancellation(
      try fields.required("reason").string(), isOrderly: try fields["orderly"]?.bool() ?? false)
  }

  private func shutdown(
    _ value: JSONValue, of model: PondModel
  ) throws(JSONError) -> RecordedShutdown {
    let fields = try value.object(["reason", "started", "duration", "teardowns", "nested"])
    var teardowns: [RecordedTeardown] = []
    for value in try fields.required("teardowns").elements() {
      let fields = try value.object(["pebble", "started", "finished", "error"])
      teardowns.append(
        RecordedTeardown(
          pebble: try fields.required("pebble").position(in: model.count, "pebble"),
          started: try fields["started"]?.duration(),
          finished: try fields.required("finished").duration(),
          error: try fields["error"]?.string()))
    }
    return RecordedShutdown(
      reason: try fields["reason"]?.string(), started: try fields["started"]?.duration(),
      duration: try fields.required("duration").duration(), teardowns: teardowns,
      nested: try nestedShutdowns(fields["nested"], depth: 1))
  }

  private func nestedShutdowns(
    _ list: JSONValue?, depth: Int
  ) throws(JSONError) -> [NestedShutdown] {
    guard let list else { return [] }
    guard depth <= Self.deepestNested else {
      throw list.fault("shutdowns are nested more than \(Self.deepestNested) deep")
    }
    var nested: [NestedShutdown] = []
    for value in try list.elements() {
      let fields = try value.object(["pebble", "pond", "duration", "teardowns", "nested"])
      nested.append(
        NestedShutdown(
          pebble: try fields.required("pebble").string(),
          pondName: try fields.required("pond").string(),
          duration: try fields.required("duration").duration(),
          teardowns: try nestedTeardowns(fields.required("teardowns")),
          nested: try nestedShutdowns(fields["nested"], depth: depth + 1)))
    }
    return nested
  }

  private func nestedTeardowns(_ list: JSONValue) throws(JSONError) -> [NestedTeardown] {
    var teardowns: [NestedTeardown] = []
    for value in try list.elements() {
      let fields = try value.object(["pebble", "started", "finished", "error"])
      teardowns.append(
        NestedTeardown(
          pebble: try fields.required("pebble").string(),
          started: try fields["started"]?.duration(),
          finished: try fields.required("finished").duration(),
          error: try fields["error"]?.string()))
    }
    return teardowns
  }
}

extension RecordedPebble {
  fileprivate func called(_ attempts: [RecordedAttempt]) -> RecordedPebble {
    RecordedPebble(
      name: name, outcome: outcome, ready: ready, started: started, finished: finished,
      decidedBy: decidedBy, attempts: attempts, isStillRunning: isStillRunning,
      wasCancelled: wasCancelled, service: service, servicesDownInside: servicesDownInside,
      lateTeardownErrors: lateTeardownErrors, cases: cases, keptFrom: keptFrom)
  }
}
