import Pebbles

extension RecordedRun {
  /// The error for a record that contradicts itself; `nil` if the record is consistent. Only
  /// `Replay` checks whether the outcomes follow from the conditions.
  ///
  /// - Complexity: O(pebbles + attempts).
  package var fault: RecordingError? {
    if pebbles.count != model.count {
      return RecordingError(
        pebble: nil,
        description: "the run has \(pebbles.count) pebbles, but its pond has \(model.count)")
    }
    if makespan < .zero {
      return RecordingError(
        pebble: nil, description: "the run took \(makespan); a duration cannot be negative")
    }
    let names = model.pond.graph.names
    var positions: [String: Int]?
    for (position, pebble) in pebbles.enumerated() {
      if pebble.name != names[position] {
        return RecordingError(
          pebble: position,
          description: "the pebble at position \(position) is called "
            + "\(pebble.name.shortName), but in its pond "
            + "\(names[position].shortName)")
      }
      let problem =
        pebble.timeProblem(makespan: makespan) ?? reasonProblem(of: pebble, &positions)
        ?? givenProblem(of: pebble, at: position) ?? cancellationProblem(of: pebble)
        ?? caseProblem(of: pebble, at: position)
      if let problem { return fault(of: position, problem) }
    }
    return decisionFault ?? shutdownFault
  }

  private var shutdownFault: RecordingError? {
    guard let shutdown else { return nil }
    if shutdown.duration < .zero {
      return RecordingError(
        pebble: nil,
        description: "the shutdown took \(shutdown.duration); a duration cannot be negative")
    }
    if let started = shutdown.started, started < .zero {
      return RecordingError(
        pebble: nil, description: "the shutdown began at \(started), before the run")
    }
    for teardown in shutdown.teardowns {
      guard pebbles.indices.contains(teardown.pebble) else {
        return RecordingError(
          pebble: nil,
          description: "the pebble at position \(teardown.pebble), which does not exist, "
            + "was torn down")
      }
      if let problem = teardown.timeProblem(limit: shutdown.duration) {
        return fault(of: teardown.pebble, problem)
      }
    }
    return nestedShutdownFault(in: shutdown)
  }

  private func nestedShutdownFault(in shutdown: RecordedShutdown) -> RecordingError? {
    guard !shutdown.nested.isEmpty else { return nil }
    let names = model.pond.graph.names
    let positions = Dictionary(zip(names, 0...)) { first, _ in first }
    for nested in shutdown.nested {
      guard let pebble = positions[nested.pebble] else {
        return RecordingError(
          pebble: nil,
          description: "a run inside \(nested.pebble.shortName), which does not exist, "
            + "was shut down")
      }
      if let problem = nested.problem { return fault(of: pebble, problem) }
    }
    return nil
  }

  private func fault(of pebble: Int, _ problem: String) -> RecordingError {
    let name = model.pond.graph.names[pebble].shortName
    return RecordingError(pebble: pebble, description: "\(name) \(problem)")
  }

  private func cancellationProblem(of pebble: RecordedPebble) -> String? {
    pebble.wasCancelled && cancellation == nil
      ? "was cancelled with the run, which was not cancelled" : nil
  }

  private func caseProblem(of pebble: RecordedPebble, at position: Int) -> String? {
    guard !pebble.cases.isEmpty else { return nil }
    guard pebble.outcome.isCompleted else { return "was skipped, but has cases" }
    let list = model.pond.graph.cases[position] ?? CaseList()
    do {
      _ = try list.set(of: pebble.cases, succeeded: pebble.outcome.isSucceeded)
      return nil
    } catch {
      return "is recorded \(error.clause)"
    }
  }

  private func reasonProblem(
    of pebble: RecordedPebble, _ positions: inout [String: Int]?
  ) -> String? {
    if let decidedBy = pebble.decidedBy, !pebbles.indices.contains(decidedBy) {
      return "was decided by the pebble at position \(decidedBy), which does not exist"
    }
    guard case .skipped(let reason) = pebble.outcome else { return nil }
    switch reason {
    case .conditionFalse(let name):
      return name == pebble.decidedBy.map { pebbles[$0].name }
        ? nil : "has a reason that does not match the pebble that decided its condition"
    case .stalled(let waitingOn):
      let known = positions ?? Dictionary(zip(pebbles.map(\.name), 0...)) { first, _ in first }
      positions = known
      return waitingOn.first { known[$0] == nil }.map {
        "waited for \($0.shortName), which does not exist"
      }
    case .resourceHeld(let holder):
      return holder == pebble.decidedBy.map { pebbles[$0].name }
        ? nil : "has a reason that does not match the pebble that decided it"
    case .notInRun:
      return "is recorded in the run as not in the run"
    case .cancelled, .disabled, .notAskedFor:
      return nil
    }
  }

  /// The error for a pebble that decided its own condition, directly or through other pebbles;
  /// `nil` if there is no such pebble.
  private var decisionFault: RecordingError? {
    // Every chain is followed once. If a chain returns to one of its own pebbles, there is a cycle.
    var walks = [Int](repeating: 0, count: pebbles.count)
    for start in pebbles.indices where walks[start] == 0 {
      var next: Int? = start
      while let pebble = next, walks[pebble] == 0 {
        walks[pebble] = start + 1
        next = pebbles[pebble].decidedBy
      }
      if let next, walks[next] == start + 1 {
        return fault(of: next, "was decided by itself, perhaps through others")
      }
    }
    return nil
  }
}

extension RecordedRun {
  /// Returns the problem with a pebble whose output was given to the run; `nil` if there is no
  /// problem. The result is worded to follow the pebble's name in a sentence:
  /// `was given to the run, but failed`.
  fileprivate func givenProblem(of pebble: RecordedPebble, at position: Int) -> String? {
    guard model.isGiven(at: position) else { return nil }
    if pebble.outcome.isFailed { return "was given to the run, but failed" }
    return pebble.attempts.isEmpty ? nil : "was given to the run, but was called"
  }
}

extension RecordedPebble {
  /// Returns the first problem with the record, such as contradictory times; `nil` if there is no
  /// problem. The result is worded to follow the pebble's name in a sentence.
  fileprivate func timeProblem(makespan: Duration) -> String? {
    if finished < .zero { return "finished at \(finished), before the start of the run" }
    if finished > makespan { return "finished at \(finished), after the end of the run" }
    if let service {
      if let problem = service.problem { return problem }
      if !outcome.isSucceeded { return "did not succeed, but went on as a service" }
    }
    if !servicesDownInside.isEmpty, !outcome.isSucceeded {
      return "did not succeed, but has services inside it that are down"
    }
    if keptFrom != nil {
      if !outcome.isSucceeded { return "did not succeed, but was kept" }
      if !attempts.isEmpty {
        return "was kept from another run, but was called in this one"
      }
    }
    if wasCancelled, !outcome.isFailed { return "did not fail, but was cancelled" }
    guard outcome.isCompleted else {
      let ran = ready != nil || started != nil || !attempts.isEmpty
      return ran ? "was skipped, but became ready or started" : nil
    }
    guard let ready, let started else {
      return "ran, but the time at which it became ready or started is missing"
    }
    if ready < .zero { return "became ready at \(ready), before the start of the run" }
    if started < ready { return "started at \(started), before it was ready at \(ready)" }
    if finished < started { return "finished at \(finished), before it started at \(started)" }
    for attempt in attempts {
      if attempt.finished < attempt.started {
        return "has an attempt that finished before it started"
      }
      if attempt.started < started || attempt.finished > finished {
        return "has an attempt outside its start and finish"
      }
    }
    return nil
  }
}

extension RecordedService {
  /// The problem with the record, worded to follow the service's name in a sentence; `nil` if there
  /// is no problem.
  fileprivate var problem: String? {
    if let end, end.time < .zero {
      return "ended as a service at \(end.time), before the start of the run"
    }
    if isDown, end?.wasAsked != false {
      return "is down as a service, but has no unasked end"
    }
    if restartCount < restarts.count {
      return "was called again \(restartCount) times, but \(restarts.count) such calls are recorded"
    }
    if let early = restarts.first(where: { $0.time < .zero }) {
      return "was called again at \(early.time), before the start of the run"
    }
    return nil
  }
}

extension RecordedTeardown {
  /// Returns the problem with the times of the teardown, worded to follow the pebble's name in a
  /// sentence; `nil` if there is no problem.
  fileprivate func timeProblem(limit: Duration) -> String? {
    if let started, started < .zero {
      return "began its teardown at \(started), before the shutdown began"
    }
    if finished < started ?? .zero { return "was torn down before its teardown began" }
    if finished > limit { return "was torn down at \(finished), after the end of the shutdown" }
    return nil
  }
}
