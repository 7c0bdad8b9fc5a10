import Pebbles
import PebblesAnalysis

/// A writer of a run in the Trace Event Format, one event per line.
struct TraceWriter {
  private let facts: RunFacts
  private let order: [Int]
  private let lanes: TraceLanes
  private var events: [String] = []

  init(_ facts: RunFacts) {
    self.facts = facts
    order = facts.byStart
    lanes = TraceLanes(facts, in: order)
  }

  consuming func json() -> String {
    var writer = self
    writer.addNames()
    for pebble in writer.order {
      if writer.lanes.lanes[pebble] == nil {
        writer.addInstant(pebble)
      } else {
        writer.addSlice(pebble)
        writer.addAttempts(pebble)
        writer.addWait(pebble)
        writer.addFlow(to: pebble)
      }
    }
    writer.addCounter("running") { [lanes = writer.lanes] in lanes.slices[$0] }
    writer.addCounter("waiting to start") { [facts = writer.facts] pebble in
      facts.wait(of: pebble).map { _ in facts.ready(of: pebble)..<facts.begin(of: pebble) }
    }
    let name = RunFacts.shown(writer.facts.run.model.name).inJSON
    let goal = writer.facts.run.goalSentence.map { ", \"goal\": \($0.inJSON)" } ?? ""
    return """
      {"displayTimeUnit": "ms", "otherData": {"pond": \(name)\(goal)}, "traceEvents": [
      \(writer.events.joined(separator: ",\n"))
      ]}

      """
  }

  // MARK: Lanes

  private var skippedLane: Int { lanes.count + 1 }

  private mutating func addNames() {
    addName("process_name", "pond \(RunFacts.shown(facts.run.model.name))", lane: 0)
    for lane in 0..<lanes.count { addName("thread_name", "lane \(lane + 1)", lane: lane + 1) }
    if lanes.lanes.count < order.count {
      addName("thread_name", "skipped", lane: skippedLane)
    }
  }

  private mutating func addName(_ kind: String, _ name: String, lane: Int) {
    events.append(
      "{\"ph\": \"M\", \"pid\": 1, \"tid\": \(lane), \"name\": \"\(kind)\", "
        + "\"args\": {\"name\": \(name.inJSON)}}")
    guard lane > 0 else { return }
    events.append(
      "{\"ph\": \"M\", \"pid\": 1, \"tid\": \(lane), \"name\": \"thread_sort_index\", "
        + "\"args\": {\"sort_index\": \(lane)}}")
  }

  // MARK: Pebbles

  private mutating func addSlice(_ pebble: Int) {
    guard let slice = lanes.slices[pebble] else { return }
    let record = facts.run.pebbles[pebble]
    let duration = slice.upperBound - slice.lowerBound
    let kind = record.outcome.isSucceeded ? "succeeded" : "failed"
    let colour = record.outcome.isSucceeded ? "good" : "terrible"
    let category = facts.isOnChain[pebble] ? "\(kind),longest chain" : kind
    add(
      "X", pebble, at: slice.lowerBound, named: record.name,
      "\"dur\": \(microseconds(duration)), \"cat\": \"\(category)\", "
        + "\"cname\": \"\(colour)\", \"args\": \(arguments(of: pebble))")
  }

  /// Adds the attempts of a pebble if there are several. They begin and end at least a nanosecond
  /// inside its slice, so that arrows to its start or from its end are attached to the pebble.
  private mutating func addAttempts(_ pebble: Int) {
    let record = facts.run.pebbles[pebble]
    guard record.attempts.count > 1, let slice = lanes.slices[pebble],
      slice.upperBound - slice.lowerBound > 2
    else { return }
    var reached = slice.lowerBound + 1
    let last = slice.upperBound - 1
    for (number, attempt) in record.attempts.enumerated() {
      let begin = max(attempt.started.nanoseconds, reached)
      let end = min(attempt.finished.nanoseconds, last)
      guard begin < end else { continue }
      reached = end
      let error = attempt.error.map { ", \"args\": {\"error\": \($0.inJSON)}" } ?? ""
      add(
        "X", pebble, at: begin, named: "attempt \(number + 1)",
        "\"dur\": \(microseconds(end - begin)), \"cat\": \"attempt\"\(error)")
    }
  }

  private mutating func addInstant(_ pebble: Int) {
    add(
      "i", pebble, at: facts.end(of: pebble), named: facts.run.pebbles[pebble].name,
      "\"s\": \"t\", \"cat\": \"skipped\", \"args\": \(arguments(of: pebble))")
  }

  private mutating func addWait(_ pebble: Int) {
    guard let wait = facts.wait(of: pebble) else { return }
    let name =
      switch wait {
      case .limit: "waits for a limit"
      case .thread: "waits for a thread"
      }
    let pebbleName = facts.run.pebbles[pebble].name.inJSON
    for (phase, time) in [("b", facts.ready(of: pebble)), ("e", facts.begin(of: pebble))] {
      add(
        phase, pebble, at: time, named: name,
        "\"id\": \(pebble), \"cat\": \"waiting\", \"args\": {\"pebble\": \(pebbleName)}")
    }
  }

  /// Adds an arrow from the last nanosecond of the cause to the first of the effect. A skipped
  /// cause has no slice to start an arrow from; then only the arguments of the effect's slice name
  /// it.
  private mutating func addFlow(to pebble: Int) {
    guard let cause = facts.run.pebbles[pebble].decidedBy, let from = lanes.slices[cause],
      let to = lanes.slices[pebble], from.upperBound - 1 <= to.lowerBound
    else { return }
    add(
      "s", cause, at: from.upperBound - 1, named: "decides", "\"id\": \(pebble), \"cat\": \"cause\""
    )
    add(
      "f", pebble, at: to.lowerBound, named: "decides",
      "\"bp\": \"e\", \"id\": \(pebble), \"cat\": \"cause\"")
  }

  private func arguments(of pebble: Int) -> String {
    let record = facts.run.pebbles[pebble]
    var arguments: [(String, String)] = []
    switch record.outcome {
    case .succeeded: arguments.append(("outcome", "succeeded"))
    case .failed(let error): arguments += [("outcome", "failed"), ("error", error)]
    case .skipped:
      arguments += [("outcome", "skipped"), ("reason", facts.remark(on: pebble) ?? "")]
    }
    if !record.cases.isEmpty {
      arguments.append(("case", record.cases.map(\.name).joined(separator: ", ")))
    }
    if let cause = record.decidedBy {
      arguments.append(("decided by", facts.run.pebbles[cause].name))
    }
    if facts.wait(of: pebble) != nil {
      let waited = (facts.begin(of: pebble) - facts.ready(of: pebble)).asNanoseconds
      arguments.append(("waited", waited.brief))
    }
    if facts.isOnChain[pebble] { arguments.append(("on the longest chain", "yes")) }
    if record.isStillRunning { arguments.append(("its body", "is still running")) }
    let members = arguments.map { "\($0.0.inJSON): \($0.1.inJSON)" }
    return "{\(members.joined(separator: ", "))}"
  }

  // MARK: Counters

  /// Adds a counter of the pebbles that are in a state. `range` returns the time range for which a
  /// pebble is in that state; `nil` if it never is.
  private mutating func addCounter(_ name: String, _ range: (Int) -> Range<UInt64>?) {
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
      events.append(
        "{\"ph\": \"C\", \"pid\": 1, \"ts\": \(microseconds(change.time)), "
          + "\"name\": \"\(name)\", \"args\": {\"pebbles\": \(count)}}")
    }
  }

  // MARK: Events

  private mutating func add(
    _ phase: String, _ pebble: Int, at time: UInt64, named name: String, _ rest: String
  ) {
    let lane = lanes.lanes[pebble] ?? skippedLane
    events.append(
      "{\"ph\": \"\(phase)\", \"pid\": 1, \"tid\": \(lane), \"ts\": \(microseconds(time)), "
        + "\"name\": \(name.inJSON), \(rest)}")
  }

  /// Returns a time in microseconds, the unit of the format, with three decimal digits unless it is
  /// a whole number.
  private func microseconds(_ nanoseconds: UInt64) -> String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
    return rest == 0 ? "\(whole)" : "\(whole).\("\(1_000 + rest)".dropFirst())"
  }
}
