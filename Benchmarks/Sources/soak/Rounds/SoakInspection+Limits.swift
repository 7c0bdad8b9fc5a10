import Pebbles

extension SoakInspection {
  /// Checks both the bodies' notes and the times in the report for exceeded limits.
  mutating func inspectLimits(_ report: Report) {
    var limits: [(name: String, units: [Int], capacity: Int)] = [
      ("connections", plan.pebbles.map(\.connections), SoakPlan.connections)
    ]
    for key in Set(plan.pebbles.compactMap(\.exclusiveKey)) {
      limits.append((key, plan.pebbles.map { $0.exclusiveKey == key ? 1 : 0 }, 1))
    }
    if let most = plan.maxConcurrent {
      limits.append(("places", plan.pebbles.map { _ in 1 }, most))
    }
    let uses = usesByNotes(report) + usesByRecords(report)
    for use in uses {
      for limit in limits where limit.units[use.pebble] > 0 {
        let held = use.others.reduce(limit.units[use.pebble]) { $0 + limit.units[$1] }
        expect(
          held <= limit.capacity,
          "p\(use.pebble) and \(use.others) hold \(held) of \(limit.capacity) \(limit.name)")
      }
    }
  }

  /// A pebble, and the other pebbles that were running when it began.
  private struct Use {
    let pebble: Int
    let others: [Int]
  }

  /// Returns the uses according to the notes. A pebble is considered to run from the first call to
  /// its body until the last return or, for a service, until it is ready.
  private func usesByNotes(_ report: Report) -> [Use] {
    let own = notes.filter { $0.ticket.run == report.identifier }
    var lastPlaces: [Int: Int] = [:]
    for (place, note) in own.enumerated() {
      let isService = plan.pebbles[note.ticket.pebble].isService
      let record = report.records[note.ticket.pebble]
      // An earlier attempt may have been given up while its body goes on.
      guard note.ticket.attempt == record.attempts.count else { continue }
      switch note.event {
      case .left where isService && record.outcome.isSucceeded: break
      case .left, .ready, .injected: lastPlaces[note.ticket.pebble] = place
      case .entered, .opened, .called, .nestedRunEnded: break
      }
    }
    var running: Set<Int> = []
    var uses: [Use] = []
    for (place, note) in own.enumerated() {
      let pebble = note.ticket.pebble
      // If a body was given up and goes on, only the report has the time.
      if report.records[pebble].isGivenUp { continue }
      guard let last = lastPlaces[pebble], place <= last else { continue }
      if note.event == .entered, running.insert(pebble).inserted {
        uses.append(Use(pebble: pebble, others: running.filter { $0 != pebble }))
      }
      if place == last { running.remove(pebble) }
    }
    return uses
  }

  private func usesByRecords(_ report: Report) -> [Use] {
    let spans = report.records.map { record in record.started.map { $0..<record.finished } }
    return spans.indices.compactMap { pebble in
      // A body without a duration may end before others of the same moment begin.
      guard let span = spans[pebble], !span.isEmpty else { return nil }
      let others = spans.indices.filter {
        $0 != pebble && spans[$0]?.contains(span.lowerBound) == true
          && !hasGivenBack($0, before: pebble, report)
      }
      return Use(pebble: pebble, others: others)
    }
  }

  /// Returns whether a pebble was given up, and its body ended before another pebble began. In that
  /// case, the pebble had released its resources by then, although its recorded end may be later.
  private func hasGivenBack(_ pebble: Int, before other: Int, _ report: Report) -> Bool {
    guard report.records[pebble].isGivenUp else { return false }
    let own = notes.filter { $0.ticket.run == report.identifier }
    let end = own.lastIndex { $0.ticket.pebble == pebble && $0.event == .left }
    let beginning = own.firstIndex { $0.ticket.pebble == other && $0.event == .entered }
    guard let end, let beginning else { return false }
    return end < beginning
  }
}

extension PebbleRecord {
  /// Whether the body of the pebble was given up, and might therefore have continued.
  fileprivate var isGivenUp: Bool {
    outcome.error is PebbleTimeout || outcome.error as? ServiceError == .didNotStop
  }
}
