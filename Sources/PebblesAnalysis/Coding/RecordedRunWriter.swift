import Pebbles

/// A writer for runs in the format described in the article "The JSON Format".
struct RecordedRunWriter: JSONWritable {
  private let run: RecordedRun

  init(_ run: RecordedRun) {
    self.run = run
  }

  func write(to writer: inout JSONWriter) {
    writer.object(inLines: true) { writer in
      writer.member("format", RecordedRunReader.format)
      writer.member("version", RecordedRunReader.version)
      writer.member("makespan", run.makespan)
      if let origin = run.origin {
        writer.key("origin")
        writer.object { writer in
          writer.member("started", origin.started)
          writer.member("host", origin.host)
          writer.member("version", origin.version)
        }
      }
      writer.member("goalReached", (try? run.isGoalReached) ?? nil)
      if let cancellation = run.cancellation {
        writer.key("cancellation")
        writer.object { writer in
          writer.member("reason", cancellation.reason)
          writer.member("orderly", cancellation.isOrderly ? true : nil)
        }
      }
      writer.member("journalProblem", run.journalProblem)
      writer.member("pond", PondModelWriter(run.model))
      writePebbles(to: &writer)
      writeUnended(to: &writer)
      writeDeciders(to: &writer)
      writeShutdown(to: &writer)
      writer.member("nested", run.nested, inLines: true) { nested, writer in
        writer.object { writer in
          writer.member("pebble", nested.pebble)
          writer.member("run", RecordedRunWriter(nested.run))
        }
      }
      writer.member("omittedNestedRuns", run.omittedNestedRuns == 0 ? nil : run.omittedNestedRuns)
    }
  }

  private func writeUnended(to writer: inout JSONWriter) {
    guard let unended = run.unended else { return }
    writer.member("unended", unended.sorted { $0.key < $1.key }) { pebble, writer in
      writer.object { writer in
        writer.member("pebble", pebble.key)
        writer.member("state", pebble.value)
      }
    }
  }

  private func writeDeciders(to writer: inout JSONWriter) {
    guard !run.deciders.isEmpty else { return }
    writer.member("deciders", run.deciders.sorted { $0.key < $1.key }) { decider, writer in
      writer.object { writer in
        writer.member("gate", decider.key)
        writer.member("by", decider.value)
      }
    }
  }

  private func writeShutdown(to writer: inout JSONWriter) {
    guard let shutdown = run.shutdown else { return }
    writer.key("shutdown")
    writer.object { writer in
      writer.member("reason", shutdown.reason)
      writer.member("started", shutdown.started)
      writer.member("duration", shutdown.duration)
      writer.member("teardowns", shutdown.teardowns) { teardown, writer in
        writer.object { writer in
          writer.member("pebble", teardown.pebble)
          writer.member("started", teardown.started)
          writer.member("finished", teardown.finished)
          writer.member("error", teardown.error)
        }
      }
      if !shutdown.nested.isEmpty { write(shutdown.nested, to: &writer) }
    }
  }

  private func write(_ nested: [NestedShutdown], to writer: inout JSONWriter) {
    writer.member("nested", nested) { shutdown, writer in
      writer.object { writer in
        writer.member("pebble", shutdown.pebble)
        writer.member("pond", shutdown.pondName)
        writer.member("duration", shutdown.duration)
        writer.member("teardowns", shutdown.teardowns) { teardown, writer in
          writer.object { writer in
            writer.member("pebble", teardown.pebble)
            writer.member("started", teardown.started)
            writer.member("finished", teardown.finished)
            writer.member("error", teardown.error)
          }
        }
        if !shutdown.nested.isEmpty { write(shutdown.nested, to: &writer) }
      }
    }
  }

  private func writePebbles(to writer: inout JSONWriter) {
    // Names are looked up only for stalls, which most runs do not have.
    lazy var positions = Dictionary(zip(run.pebbles.map(\.name), 0...)) { first, _ in first }
    let pebbles = zip(run.pebbles, run.skipKinds).enumerated().map {
      (position: $0, pebble: $1.0, skipKind: $1.1)
    }
    writer.member("pebbles", pebbles, inLines: true) { entry, writer in
      let pebble = entry.pebble
      var waitedFor: [Int] = []
      if case .skipped(let reason) = pebble.outcome {
        waitedFor = reason.waitingOn.compactMap { positions[$0] }
      }
      let known = run.model.pond.graph.cases[entry.position]?.cases ?? []
      let cases = pebble.cases.compactMap(known.firstIndex)
      writer.object {
        write(pebble, at: entry.position, entry.skipKind, waitedFor: waitedFor, to: &$0)
        if !cases.isEmpty { $0.member("case", cases) }
      }
    }
  }

  private func write(
    _ pebble: RecordedPebble, at position: Int, _ skipKind: SkipKind?, waitedFor: [Int],
    to writer: inout JSONWriter
  ) {
    writer.member("name", pebble.name)
    writer.member("outcome", pebble.outcome.event.word)
    switch pebble.outcome {
    case .succeeded: break
    case .failed(let error): writer.member("error", error)
    case .skipped(let reason):
      writer.member("reason", reason.word)
      if reason.isStalled { writer.member("waitingOn", waitedFor) }
      writer.member("blocked", skipKind.flatMap(\.isBlocked))
    }
    writer.member("ready", pebble.ready)
    writer.member("started", pebble.started)
    writer.member("finished", pebble.finished)
    writer.member("decidedBy", pebble.decidedBy)
    if pebble.attempts != pebble.usualAttempts(isGiven: run.model.isGiven(at: position)) {
      writer.member("attempts", pebble.attempts) { attempt, writer in
        writer.object { writer in
          writer.member("started", attempt.started)
          writer.member("finished", attempt.finished)
          writer.member("error", attempt.error)
        }
      }
    }
    writer.member("kept", pebble.keptFrom)
    writer.member("stillRunning", pebble.isStillRunning ? true : nil)
    writer.member("cancelled", pebble.wasCancelled ? true : nil)
    if let service = pebble.service {
      writer.key("service")
      writer.object { write(service, to: &$0) }
    }
    if !pebble.servicesDownInside.isEmpty {
      writer.member("servicesDownInside", pebble.servicesDownInside)
    }
    if !pebble.lateTeardownErrors.isEmpty {
      writer.member("lateTeardownErrors", pebble.lateTeardownErrors)
    }
  }

  private func write(_ service: RecordedService, to writer: inout JSONWriter) {
    if let end = service.end {
      writer.key("end")
      writer.object { writer in
        writer.member("time", end.time)
        writer.member("asked", end.wasAsked ? true : nil)
        writer.member("error", end.error)
      }
    }
    writer.member("down", service.isDown ? true : nil)
    if !service.restarts.isEmpty {
      writer.member("restarts", service.restarts) { restart, writer in
        writer.object { writer in
          writer.member("time", restart.time)
          writer.member("attempt", restart.attempt)
          writer.member("error", restart.error)
        }
      }
    }
    writer.member(
      "restartCount", service.restartCount == service.restarts.count ? nil : service.restartCount)
  }
}

extension RecordedPebble {
  /// Returns the attempts that a reader assumes if a document does not list the pebble's attempts.
  ///
  /// The result is one attempt, from the start of the pebble to its end. It is empty if the pebble
  /// was skipped, if its success was kept from an earlier run, or if its output was given.
  func usualAttempts(isGiven: Bool) -> [RecordedAttempt] {
    guard let started, keptFrom == nil, !isGiven else { return [] }
    var error: String?
    if case .failed(let text) = outcome { error = text }
    return [RecordedAttempt(started: started, finished: finished, error: error)]
  }
}

extension SkipKind {
  /// Whether the pebble was blocked (`true`) or not needed (`false`); `nil` if this follows from
  /// the reason for the skip.
  fileprivate var isBlocked: Bool? {
    self == .blocked ? true : self == .notNeeded ? false : nil
  }
}

extension SkipReason {
  /// The word for the reason in documents.
  fileprivate var word: String {
    switch self {
    case .conditionFalse: "conditionFalse"
    case .stalled: "stalled"
    case .cancelled: "cancelled"
    case .disabled: "disabled"
    case .notAskedFor: "notAskedFor"
    case .resourceHeld: "resourceHeld"
    case .notInRun: "notInRun"
    }
  }
}
