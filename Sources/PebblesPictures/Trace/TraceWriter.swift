import Pebbles
import PebblesAnalysis

/// A writer that encodes a run in the Trace Event Format, with one event per line.
struct TraceWriter: JSONWritable {
  private let facts: RunFacts
  private let order: [Int]
  private let lanes: TraceLanes

  init(_ facts: RunFacts) {
    self.facts = facts
    order = facts.byStart
    lanes = TraceLanes(facts, in: order)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("displayTimeUnit", "ms")
      writer.key("otherData")
      writer.object { writer in
        writer.member("pond", RunFacts.shown(facts.run.model.name))
        writer.member("goal", facts.run.goalSentence)
      }
      writer.key("traceEvents")
      writer.list(inLines: true, writeEvents)
    }
  }

  private func writeEvents(to writer: inout JSONWriter) {
    writeNames(to: &writer)
    for pebble in order {
      if let slice = lanes.slices[pebble] {
        write(slice, of: pebble, to: &writer)
        writeAttempts(of: pebble, in: slice, to: &writer)
        writeWait(of: pebble, to: &writer)
        writeFlow(to: pebble, at: slice, to: &writer)
      } else {
        writeInstant(of: pebble, to: &writer)
      }
    }
    writeCounter("running", to: &writer) { lanes.slices[$0] }
    writeCounter("waiting to start", to: &writer) { pebble in
      facts.wait(of: pebble).map { _ in facts.ready(of: pebble)..<facts.begin(of: pebble) }
    }
  }

  // MARK: Lanes

  private func writeNames(to writer: inout JSONWriter) {
    writer.event("M", lane: 0, named: "process_name") {
      $0.argument("name", "pond \(RunFacts.shown(facts.run.model.name))")
    }
    for lane in 1..<lanes.count + 1 { writeName("lane \(lane)", of: lane, to: &writer) }
    if lanes.lanes.count < order.count { writeName("skipped", of: skippedLane, to: &writer) }
  }

  private func writeName(_ name: String, of lane: Int, to writer: inout JSONWriter) {
    writer.event("M", lane: lane, named: "thread_name") { $0.argument("name", name) }
    writer.event("M", lane: lane, named: "thread_sort_index") { $0.argument("sort_index", lane) }
  }

  private var skippedLane: Int { lanes.count + 1 }

  private func lane(of pebble: Int) -> Int { lanes.lanes[pebble] ?? skippedLane }

  // MARK: Pebbles

  private func write(_ slice: Range<UInt64>, of pebble: Int, to writer: inout JSONWriter) {
    let record = facts.run.pebbles[pebble]
    let isGood = record.outcome.isSucceeded
    let kind = isGood ? "succeeded" : "failed"
    writer.event("X", lane: lane(of: pebble), at: slice.lowerBound, named: record.name) { writer in
      writer.member("dur", Microseconds(slice.upperBound - slice.lowerBound))
      writer.member("cat", facts.isOnChain[pebble] ? "\(kind),longest chain" : kind)
      writer.member("cname", isGood ? "good" : "terrible")
      writeArguments(of: pebble, to: &writer)
    }
  }

  /// Writes the attempts of a pebble that was tried more than once. Each attempt is kept at least
  /// one nanosecond inside the slice of the pebble, so that arrows to the start or from the end of
  /// the slice attach to the pebble itself.
  private func writeAttempts(
    of pebble: Int, in slice: Range<UInt64>, to writer: inout JSONWriter
  ) {
    let attempts = facts.run.pebbles[pebble].attempts
    guard attempts.count > 1, slice.upperBound - slice.lowerBound > 2 else { return }
    var reached = slice.lowerBound + 1
    let last = slice.upperBound - 1
    for (number, attempt) in attempts.enumerated() {
      let begin = max(attempt.started.nanoseconds, reached)
      let end = min(attempt.finished.nanoseconds, last)
      guard begin < end else { continue }
      reached = end
      let name = "attempt \(number + 1)"
      writer.event("X", lane: lane(of: pebble), at: begin, named: name) { writer in
        writer.member("dur", Microseconds(end - begin))
        writer.member("cat", "attempt")
        if let error = attempt.error { writer.argument("error", error) }
      }
    }
  }

  private func writeInstant(of pebble: Int, to writer: inout JSONWriter) {
    let name = facts.run.pebbles[pebble].name
    writer.event("i", lane: skippedLane, at: facts.end(of: pebble), named: name) { writer in
      writer.member("s", "t")
      writer.member("cat", "skipped")
      writeArguments(of: pebble, to: &writer)
    }
  }

  private func writeWait(of pebble: Int, to writer: inout JSONWriter) {
    guard let wait = facts.wait(of: pebble) else { return }
    let name =
      switch wait {
      case .limit: "waits for a limit"
      case .thread: "waits for a thread"
      }
    for (phase, time) in [("b", facts.ready(of: pebble)), ("e", facts.begin(of: pebble))] {
      writer.event(phase, lane: lane(of: pebble), at: time, named: name) { writer in
        writer.member("id", pebble)
        writer.member("cat", "waiting")
        writer.argument("pebble", facts.run.pebbles[pebble].name)
      }
    }
  }

  /// Writes an arrow from the last nanosecond of the cause to the first nanosecond of the effect. A
  /// skipped cause has no slice, so no arrow is written, and the cause is named only in the
  /// effect's arguments.
  private func writeFlow(
    to pebble: Int, at slice: Range<UInt64>, to writer: inout JSONWriter
  ) {
    guard let cause = facts.run.pebbles[pebble].decidedBy, let from = lanes.slices[cause],
      from.upperBound - 1 <= slice.lowerBound
    else { return }
    let start = from.upperBound - 1
    writer.event("s", lane: lane(of: cause), at: start, named: "decides") { writer in
      writer.member("id", pebble)
      writer.member("cat", "cause")
    }
    writer.event("f", lane: lane(of: pebble), at: slice.lowerBound, named: "decides") { writer in
      writer.member("bp", "e")
      writer.member("id", pebble)
      writer.member("cat", "cause")
    }
  }

  private func writeArguments(of pebble: Int, to writer: inout JSONWriter) {
    let record = facts.run.pebbles[pebble]
    writer.key("args")
    writer.object { writer in
      switch record.outcome {
      case .succeeded:
        writer.member("outcome", "succeeded")
      case .failed(let error):
        writer.member("outcome", "failed")
        writer.member("error", error)
      case .skipped:
        writer.member("outcome", "skipped")
        writer.member("reason", facts.remark(on: pebble) ?? "")
      }
      if !record.cases.isEmpty {
        writer.member("case", record.cases.map(\.name).joined(separator: ", "))
      }
      writer.member("decided by", record.decidedBy.map { facts.run.pebbles[$0].name })
      if facts.wait(of: pebble) != nil {
        let waited = facts.begin(of: pebble) - facts.ready(of: pebble)
        writer.member("waited", waited.asNanoseconds.brief)
      }
      if facts.isOnChain[pebble] { writer.member("on the longest chain", "yes") }
      if record.isStillRunning { writer.member("its body", "is still running") }
    }
  }

  // MARK: Counters

  /// Writes a counter for the pebbles in a certain state. `range` returns the time range during
  /// which a pebble is in that state, or `nil` if the pebble is never in it.
  private func writeCounter(
    _ name: String, to writer: inout JSONWriter, _ range: (Int) -> Range<UInt64>?
  ) {
    var changes: [(time: UInt64, difference: Int)] = []
    for pebble in order {
      guard let range = range(pebble) else { continue }
      changes += [(range.lowerBound, 1), (range.upperBound, -1)]
    }
    changes.sort { $0.time < $1.time }
    var count = 0
    for (place, change) in changes.enumerated() {
      count += change.difference
      guard place + 1 == changes.count || changes[place + 1].time > change.time else { continue }
      writer.event("C", at: change.time, named: name) { $0.argument("pebbles", count) }
    }
  }
}

extension JSONWriter {
  /// Writes an event. `writeRest` writes the members that only this kind of event has.
  fileprivate mutating func event(
    _ phase: String, lane: Int? = nil, at time: UInt64? = nil, named name: String,
    _ writeRest: (inout JSONWriter) -> Void
  ) {
    object { writer in
      writer.member("ph", phase)
      writer.member("pid", 1)
      writer.member("tid", lane)
      writer.member("ts", time.map(Microseconds.init))
      writer.member("name", name)
      writeRest(&writer)
    }
  }

  /// Writes the arguments of an event that has only one argument.
  fileprivate mutating func argument(_ name: String, _ value: some JSONWritable) {
    key("args")
    object { $0.member(name, value) }
  }
}

/// A time in microseconds, the unit of the format, with three decimal digits for the nanoseconds.
private struct Microseconds: JSONWritable {
  let nanoseconds: UInt64

  init(_ nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  func write(to writer: inout JSONWriter) {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
    writer.value(number: rest == 0 ? "\(whole)" : "\(whole).\("\(1_000 + rest)".dropFirst())")
  }
}
