import Pebbles

/// Writes a run in the format described in the article "The JSON Format".
struct RecordedRunWriter {
  private let run: RecordedRun

  init(_ run: RecordedRun) {
    self.run = run
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject(inLines: true)
    writer.key("format")
    writer.value(RecordedRunReader.format)
    writer.key("version")
    writer.value(RecordedRunReader.version)
    writer.key("makespan")
    writer.value(run.makespan)
    if let cancellation = run.cancellation {
      writer.key("cancellation")
      writer.value(cancellation)
    }
    writer.key("pond")
    let pond = PondModelWriter(run.model)
    pond.write(to: &writer)
    writePebbles(to: &writer)
    writer.key("heldPredicates")
    writer.beginList()
    for place in pond.places(ofPredicates: run.heldPredicates) { writer.value(place) }
    writer.end()
    writeNested(to: &writer)
    writer.end()
  }

  private func writePebbles(to writer: inout JSONWriter) {
    // Names are looked up only for stalls, which most runs have none of.
    lazy var positions = Dictionary(zip(run.pebbles.map(\.name), 0...)) { first, _ in first }
    writer.key("pebbles")
    writer.beginList(inLines: true)
    for pebble in run.pebbles {
      var waitedFor: [Int] = []
      if case .skipped(let reason) = pebble.outcome, reason.isStalled {
        waitedFor = reason.waitingOn.compactMap { positions[$0] }
      }
      write(pebble, waitedFor: waitedFor, to: &writer)
    }
    writer.end()
  }

  private func write(
    _ pebble: RecordedPebble, waitedFor: [Int], to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("name")
    writer.value(pebble.name)
    write(pebble.outcome, waitedFor: waitedFor, to: &writer)
    for (key, time) in [("ready", pebble.ready), ("started", pebble.started)] {
      guard let time else { continue }
      writer.key(key)
      writer.value(time)
    }
    writer.key("finished")
    writer.value(pebble.finished)
    if let decidedBy = pebble.decidedBy {
      writer.key("decidedBy")
      writer.value(decidedBy)
    }
    if pebble.attempts != pebble.usualAttempts { write(pebble.attempts, to: &writer) }
    if pebble.isStillRunning {
      writer.key("stillRunning")
      writer.value(true)
    }
    if let end = pebble.serviceEnd {
      writer.key("serviceEnd")
      writer.beginObject()
      writer.key("time")
      writer.value(end.time)
      writeError(end.error, to: &writer)
      writer.end()
    }
    writer.end()
  }

  private func write(
    _ outcome: RecordedOutcome, waitedFor: [Int], to writer: inout JSONWriter
  ) {
    writer.key("outcome")
    switch outcome {
    case .succeeded:
      writer.value("succeeded")
    case .failed(let error):
      writer.value("failed")
      writeError(error, to: &writer)
    case .skipped(let reason):
      writer.value("skipped")
      writer.key("reason")
      writer.value(reason.word)
      if reason.isStalled {
        writer.key("waitingOn")
        writer.beginList()
        for pebble in waitedFor { writer.value(pebble) }
        writer.end()
      }
    }
  }

  private func write(_ attempts: [RecordedAttempt], to writer: inout JSONWriter) {
    writer.key("attempts")
    writer.beginList()
    for attempt in attempts {
      writer.beginObject()
      writer.key("started")
      writer.value(attempt.started)
      writer.key("finished")
      writer.value(attempt.finished)
      writeError(attempt.error, to: &writer)
      writer.end()
    }
    writer.end()
  }

  private func writeError(_ error: String?, to writer: inout JSONWriter) {
    guard let error else { return }
    writer.key("error")
    writer.value(error)
  }

  private func writeNested(to writer: inout JSONWriter) {
    writer.key("nested")
    writer.beginList(inLines: true)
    for nested in run.nested {
      writer.beginObject()
      writer.key("pebble")
      writer.value(nested.pebble)
      writer.key("run")
      RecordedRunWriter(nested.run).write(to: &writer)
      writer.end()
    }
    writer.end()
    if run.omittedNestedRuns > 0 {
      writer.key("omittedNestedRuns")
      writer.value(run.omittedNestedRuns)
    }
  }
}

extension RecordedPebble {
  /// The calls of a body that was called once, from its start to its end, or never. They need not
  /// be written.
  var usualAttempts: [RecordedAttempt] {
    guard let started else { return [] }
    var error: String?
    if case .failed(let text) = outcome { error = text }
    return [RecordedAttempt(started: started, finished: finished, error: error)]
  }
}

extension SkipReason {
  /// What the reason is called in documents.
  fileprivate var word: String {
    switch kind {
    case .conditionFalse: "conditionFalse"
    case .stalled: "stalled"
    case .predicateNeverHeld: "predicateNeverHeld"
    case .cancelled: "cancelled"
    case .disabled: "disabled"
    case .notInRun: "notInRun"
    }
  }
}
