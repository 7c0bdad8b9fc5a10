import Pebbles
import PebblesAnalysis
import PebblesPictures

/// The summary of a run, with failures first.
struct RunSummary {
  private let run: RecordedRun
  private let most: Int
  /// The positions of the pebbles, keyed by outcome group.
  private let groups: [OutcomeGroup: [Int]]

  /// The kinds of skips, indexed by pebble; `nil` for pebbles that ran.
  private let skipKinds: [SkipKind?]

  /// The run as a `RunStorage`, which provides the reasons for skips; `nil` if the recording
  /// contradicts itself.
  private let storage: RunStorage?

  /// The contradiction in the recording, as a sentence; `nil` if the recording is consistent.
  private let problem: String?

  /// The late failures, as clauses, keyed by the position of the pebble. A late failure is a
  /// problem that occurred after the pebble had settled.
  private let lateFailures: [Int: [String]]

  /// The names of the pebbles whose failure was handled; empty if the recording contradicts
  /// itself.
  private let handledFailures: Set<String>

  /// Creates the summary of a run, with at most `most` pebbles of each outcome group.
  ///
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  init(_ run: RecordedRun, most: Int) {
    self.run = run
    self.most = most
    skipKinds = run.skipKinds
    let group = run.groups(skipKinds)
    groups = Dictionary(grouping: run.pebbles.indices) { group[$0] }
    lateFailures = run.lateFailures
    handledFailures = run.handledFailures
    do throws(RecordingError) {
      storage = try Replay(run).storage
      problem = nil
    } catch {
      // The recording is useful even if it contradicts itself.
      storage = nil
      problem = error.description
    }
  }

  // MARK: For people

  var printout: Printout {
    var printout = Printout()
    let counts = OutcomeGroup.allCases.filter { !pebbles(of: $0).isEmpty }
      .map { "\($0.sign) \(pebbles(of: $0).count) \(name(of: $0))" }
    let totals = counts.isEmpty ? "no pebbles" : counts.joined(separator: ", ")
    let down = run.pebbles.lazy
      .map { ($0.service?.isDown == true ? 1 : 0) + $0.servicesDownInside.count }.reduce(0, +)
    let services = down > 0 ? ", \(counted(down, "service")) down" : ""
    let title = run.model.name.truncated(to: 60)
    printout.line("\(title): \(totals) in \(run.makespan.brief)\(services)", .heading)
    if run.unended != nil {
      printout.line("had not ended when its journal was read", .caution)
    } else if let cancellation = run.cancellation {
      let reason = cancellation.reason.truncated(to: 500)
      printout.line(
        reason.isEmpty ? "cancelled" : "cancelled: \(reason)",
        cancellation.isOrderly ? .caution : .bad)
    } else if let shutdown = run.shutdown, let reason = shutdown.reason {
      let time = shutdown.started.map { " after \($0.brief)" } ?? ""
      printout.line("shut down\(time): \(reason.truncated(to: 500))", .caution)
    }
    if let line = run.unreadableLine {
      printout.line("its journal cannot be read from line \(line) on, and was not", .caution)
    }
    if let journalProblem = run.journalProblem {
      printout.line("its journal \(journalProblem.truncated(to: 500))", .bad)
    }
    if let missedGoal { printout.line(missedGoal, .bad) }
    if let problem { printout.line("the record contradicts itself: \(problem)", .caution) }
    for group in OutcomeGroup.allCases {
      append(group, to: &printout)
      // Other failures come before successes.
      if group == .blocked { appendLateFailures(to: &printout) }
    }
    if !run.nested.isEmpty {
      printout.heading("and \(counted(run.nested.count, "run")) inside of it", .faint)
    }
    return printout
  }

  /// A sentence about the missed goal; `nil` if no goal was missed.
  private var missedGoal: String? { (try? run.missedGoal) ?? nil }

  private func pebbles(of group: OutcomeGroup) -> [Int] { groups[group] ?? [] }

  private func name(of group: OutcomeGroup) -> String { run.name(of: group) }

  private func append(_ group: OutcomeGroup, to printout: inout Printout) {
    let pebbles = pebbles(of: group)
    guard !pebbles.isEmpty else { return }
    let title = "\(group.sign) \(name(of: group))"
    switch group {
    case .failed: append(pebbles, title, .bad, to: &printout)
    case .succeeded: append(pebbles, title, .good, to: &printout)
    case .kept: append(pebbles, title, .good, hasTimes: false, to: &printout)
    case .cancelled where run.unended != nil: appendUnended(pebbles, title, to: &printout)
    case .blocked: appendReasons(pebbles, title, .caution, to: &printout)
    case .notNeeded, .disabled, .cancelled, .notAskedFor:
      appendReasons(pebbles, title, .faint, to: &printout)
    }
  }

  private func append(
    _ pebbles: [Int], _ title: String, _ style: TextStyle, hasTimes: Bool = true,
    to printout: inout Printout
  ) {
    let shown = pebbles.prefix(most)
    let names = shown.map { run.pebbles[$0].name.inColumn }
    let width = max(names.map(\.columns).max() ?? 0, title.columns - 2)
    let times = shown.map { position in
      [run.pebbles[position].started, run.pebbles[position].duration].map { ($0 ?? .zero).brief }
    }
    let column = max(10, 1 + (times.joined().map(\.columns).max() ?? 0))
    let row = { (texts: [String]) in
      hasTimes ? texts.map { $0.leftPadded(toColumns: column) }.joined() : ""
    }
    let heading = title.padded(toColumns: width + 2) + row(["started", "took"])
    printout.heading(hasTimes ? heading : title, style)
    for ((position, name), times) in zip(zip(shown, names), times) {
      printout.line(
        StyledText("  \(name.padded(toColumns: width))\(row(times))"),
        StyledText(remark(on: position), style))
    }
    appendRest(pebbles.count, to: &printout)
  }

  private func remark(on position: Int) -> String {
    let record = run.pebbles[position]
    let attempts = record.attempts.count
    let restarts = record.service?.restartCount ?? 0
    let repeats = restarts == 1 ? "once" : "\(restarts) times"
    let cases = record.cases.map(\.caption).joined(separator: " and ")
    let isGiven = run.model.isGiven(at: position) && record.outcome.isSucceeded
    let remarks = [
      isGiven ? "given" : nil,
      cases,
      record.keptFrom.map { "from run \($0.truncated(to: 40))" },
      record.outcome.error.map { $0.truncated(to: 500) },
      handledFailures.contains(record.name) ? "handled" : nil,
      record.upTime.map { "up for \($0.brief)" },
      attempts > 1 ? "\(attempts) attempts" : nil,
      record.isStillRunning ? "its body was still running" : nil,
      record.wasCancelled ? "cancelled with the run" : nil,
      restarts > 0 ? "called again \(repeats)" : nil,
    ].compactMap { $0 }.filter { !$0.isEmpty }
    return remarks.isEmpty ? "" : "   " + remarks.joined(separator: "; ")
  }

  /// Appends the states of the pebbles that had not ended when the run was read. Pebbles that had
  /// begun precede the others.
  private func appendUnended(
    _ unended: [Int], _ title: String, to printout: inout Printout
  ) {
    let states = run.unended ?? [:]
    printout.heading(title, .faint)
    let begun = unended.filter { run.hasBegun($0) }
    let sorted = begun + unended.filter { !run.hasBegun($0) }
    let width = sorted.prefix(most).map { run.pebbles[$0].name.inColumn.columns }.max() ?? 0
    for position in sorted.prefix(most) {
      let name = run.pebbles[position].name.inColumn.padded(toColumns: width)
      printout.line("  \(name)   \(states[position] ?? "")")
    }
    appendRest(unended.count, to: &printout)
  }

  private func appendReasons(
    _ skipped: [Int], _ title: String, _ style: TextStyle, to printout: inout Printout
  ) {
    printout.heading(title, style)
    guard let storage else {
      for position in skipped.prefix(most) {
        let record = run.pebbles[position]
        let reason = record.outcome.skipReason.map { "\($0)".truncated(to: 500) } ?? ""
        printout.line("  \(record.name.inColumn): \(reason)")
      }
      return appendRest(skipped.count, to: &printout)
    }
    let records = skipped.map { PebbleRecord(storage, $0) }
    let chains = SkipChains(records, storage)
    let shown = records.filter { !chains.isFolded($0.position) }
    for record in shown.prefix(most) {
      let followers = chains.foldedFollowers(of: record.position)
      let more = followers > 0 ? ", and \(followers) more followed" : ""
      printout.line("  \(record.explanation)\(more)")
    }
    appendRest(shown.count, to: &printout)
  }

  private func appendLateFailures(to printout: inout Printout) {
    guard !lateFailures.isEmpty else { return }
    printout.heading("✗ went wrong afterwards", .bad)
    let lines = lateFailures.sorted { $0.key < $1.key }.flatMap { position, clauses in
      clauses.map { "  \(run.pebbles[position].name.inColumn): \($0)" }
    }
    for line in lines.prefix(most) { printout.line(line) }
    appendRest(lines.count, to: &printout)
  }

  private func appendRest(_ count: Int, to printout: inout Printout) {
    if count > most { printout.line("  … and \(count - most) more", .faint) }
  }

  // MARK: For programs

  var json: JSON {
    .object([
      "pond": .text(run.model.name),
      "makespan": .time(run.makespan),
      "cancellation": .optional(run.unended == nil ? run.cancellation : nil) { .text($0.reason) },
      "shutdownReason": .optional(run.shutdown?.reason, JSON.text),
      "unreadableFromLine": .optional(run.unreadableLine) { .number($0) },
      "succeeded": .number(pebbles(of: .succeeded).count + pebbles(of: .kept).count),
      "kept": .number(pebbles(of: .kept).count),
      "failed": .number(pebbles(of: .failed).count),
      "skipped": .number(run.pebbles.indices.count { run.word($0) == "skipped" }),
      "notEnded": .number(run.unended?.count ?? 0),
      "blocked": .number(pebbles(of: .blocked).count),
      "exitCode": .optional(try? run.exitCode) { .number($0) },
      "goalReached": .optional((try? run.isGoalReached) ?? nil, JSON.truth),
      "problems": .optional(try? run.problems, JSON.texts),
      "pebbles": .list(run.pebbles.indices.map(pebble)),
    ])
  }

  private func pebble(_ position: Int) -> JSON {
    let record = run.pebbles[position]
    let state = run.unended?[position]
    let isSkipped = record.outcome.isSkipped && state == nil
    let reason = isSkipped ? storage.map { PebbleRecord($0, position) } : nil
    return .object([
      "name": .text(record.name),
      "outcome": .text(run.word(position)),
      "state": .optional(state, JSON.text),
      "cases": .texts(record.cases.map(\.description)),
      "skipKind": .optional(isSkipped ? skipKinds[position] : nil) { .text($0.rawValue) },
      "started": .optional(record.started, JSON.time),
      "finished": .optional(state == nil ? record.finished : nil, JSON.time),
      "keptFrom": .optional(record.keptFrom, JSON.text),
      "error": .optional(record.outcome.error, JSON.text),
      "lateFailures": .texts(lateFailures[position] ?? []),
      "reason": .optional(reason?.explanation, JSON.text),
    ])
  }
}

extension RecordedRun {
  /// Returns whether a pebble had begun when the run was read.
  ///
  /// - Precondition: The pebble had not ended at that time.
  fileprivate func hasBegun(_ pebble: Int) -> Bool { unended?[pebble] != "had not begun" }

  /// Returns the outcome of a pebble as a word for programs: `succeeded`, `failed`, `skipped`, or
  /// `notEnded` if the run was read before the pebble ended.
  func word(_ position: Int) -> String {
    unended?[position] == nil ? pebbles[position].outcome.event.word : "notEnded"
  }
}

extension RecordedRun {
  /// The names of the pebbles whose failure was handled; empty if the recording contradicts
  /// itself.
  fileprivate var handledFailures: Set<String> {
    guard let unhandled = try? unhandledFailures else { return [] }
    let failed = pebbles.lazy.filter { $0.outcome.error != nil && !$0.wasCancelled }.map(\.name)
    return Set(failed).subtracting(unhandled.map(\.name))
  }
}

extension RecordedPebble {
  /// The time from when the service first became ready until it last ended; `nil` if unknown.
  ///
  /// The time is known only if this run started the service, asked it to stop, and did not call it
  /// again afterwards.
  fileprivate var upTime: Duration? {
    guard keptFrom == nil, outcome.isSucceeded, let service, let end = service.end, end.wasAsked
    else { return nil }
    if let last = service.restarts.last, last.time > end.time { return nil }
    return end.time - finished
  }
}
