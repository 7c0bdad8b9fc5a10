import Pebbles

/// The run that would have taken place if some pebbles had been faster or slower. Pebbles keep
/// their outcomes, and the run is simulated again without calling bodies.
///
/// ```swift
/// print(try report.whatIf([.pebble(loadCores, speedUp: 2)]))
/// // loadCores twice as fast: −210 ms, next bottleneck migrate
/// ```
///
/// ORs, limits and priorities have the same effect as in a real run. So does the main actor, if the
/// caller names the pebbles whose bodies run on it. The old and the new makespan are both
/// simulated, so neither includes the overhead of a real run, such as waits for a free thread. If a
/// body that timed out is made faster, it times out sooner.
public struct WhatIf: Sendable {
  /// The simulated run with the changes.
  public let run: RecordedRun

  /// The makespan of the simulation without changes. It is close to the real makespan if
  /// little time was spent on starting pebbles.
  public let baseline: Duration

  /// The longest step of the new critical path; `nil` if nothing ran. This step contributes most to
  /// the new makespan.
  public let bottleneck: CriticalStep?

  /// Clauses that state why some changes could not be made. A change cannot be made if its pebble
  /// was skipped, kept from an earlier run or given to the run, or if its factor is not a positive,
  /// finite number.
  public let ignored: [String]

  /// The changes that were made: at most one for each pebble and one for the number of workers.
  fileprivate let changes: [Change]

  /// The makespan with the changes.
  public var makespan: Duration { run.makespan }

  /// The difference that the changes make to the makespan; negative if the run is shorter.
  public var difference: Duration { makespan - baseline }

  /// A change to a run.
  public struct Change: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case takes(Duration)
      case speedUp(Double)
      case workers(Int)
    }

    /// The pebble to change; `nil` if the change does not concern a pebble.
    let pebble: PebbleID?
    let kind: Kind

    /// Returns a change that sets the duration of a pebble.
    ///
    /// - Parameters:
    ///   - pebble: The pebble.
    ///   - duration: The time that the body takes, without waits; a negative time counts as zero.
    /// - Returns: The change.
    public static func pebble(
      _ pebble: some PebbleIdentifying, takes duration: Duration
    ) -> Change {
      Change(pebble: pebble.pebbleID, kind: .takes(max(duration, .zero)))
    }

    /// Returns a change that makes a pebble faster or slower.
    ///
    /// - Parameters:
    ///   - pebble: The pebble.
    ///   - factor: The speed-up, a positive number: 2 halves the time, 0.5 doubles it.
    /// - Returns: The change.
    public static func pebble(
      _ pebble: some PebbleIdentifying, speedUp factor: Double
    ) -> Change {
      Change(pebble: pebble.pebbleID, kind: .speedUp(factor))
    }

    /// Returns a change that sets the number of bodies that can run at the same time.
    ///
    /// - Parameter count: The maximum number of running bodies; a number below one counts as one.
    /// - Returns: The change.
    public static func workers(_ count: Int) -> Change {
      Change(pebble: nil, kind: .workers(max(count, 1)))
    }
  }
}

extension RecordedRun {
  /// Simulates the run again with changes, such as faster or slower pebbles.
  ///
  /// - Parameters:
  ///   - changes: The changes. If several valid changes apply to the same pebble, or to the number
  ///     of workers, only the last one is made.
  ///   - mainActor: The pebbles whose bodies run on the main actor. Each body counts as holding the
  ///     main actor from start to end.
  /// - Returns: The simulated run with the changes, and the makespan without the changes.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded, and
  ///   `UnknownPebbleError` if a specified pebble was not in the run.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public func whatIf(
    _ changes: [WhatIf.Change], mainActor: [any PebbleIdentifying] = []
  ) throws -> WhatIf {
    try whatIf(changes, mainActor, positions)
  }

  fileprivate func whatIf(
    _ changes: [WhatIf.Change], _ mainActor: [any PebbleIdentifying], _ positions: PebblePositions
  ) throws -> WhatIf {
    var positions = positions
    let mainActor = try positions.positions(of: mainActor)
    // The last change for each pebble, by position; the number of workers is at the key -1.
    var last: [Int: Int] = [:]
    var ignored: [String] = []
    for (place, change) in changes.enumerated() {
      let position = try change.pebble.map { try positions.position(of: $0) }
      let isGiven = position.map(model.isGiven) ?? false
      if let problem = change.problem(of: position.map { pebbles[$0] }, isGiven: isGiven) {
        ignored.append(problem)
      } else {
        last[position ?? -1] = place
      }
    }
    let plan = SimulationPlan(replaying: try Replay(self), mainActor: mainActor)
    var changed = plan
    for (position, place) in last { changes[place].apply(to: &changed, at: position) }
    let replay = Simulator.replay(model, changed)
    let table = TimingTable(replay, mainActor: mainActor)
    let path = CriticalPath(table.criticalPath, table, of: replay.run)
    return WhatIf(
      run: replay.run, baseline: Simulator(model, plan).makespan(), bottleneck: path.bottleneck,
      ignored: ignored, changes: last.values.sorted().map { changes[$0] })
  }
}

extension Report {
  /// Simulates the run again with changes, such as faster or slower pebbles.
  ///
  /// - Parameters:
  ///   - changes: The changes. If several valid changes apply to the same pebble, or to the number
  ///     of workers, only the last one is made.
  ///   - mainActor: The pebbles whose bodies run on the main actor. Each body counts as holding the
  ///     main actor from start to end.
  /// - Returns: The simulated run with the changes, and the makespan without the changes.
  /// - Throws: `UnknownPebbleError` if a specified pebble is not in the pond, and
  ///   ``RecordingError`` if the recording contradicts itself.
  /// - Complexity: The same as for ``recorded(from:)``.
  public func whatIf(
    _ changes: [WhatIf.Change], mainActor: [any PebbleIdentifying] = []
  ) throws -> WhatIf {
    try recorded().whatIf(changes, mainActor, PebblePositions(storage.pond.graph))
  }
}

extension WhatIf.Change {
  /// Returns a clause that states why the change cannot be made; `nil` if it can be made.
  fileprivate func problem(of pebble: RecordedPebble?, isGiven: Bool) -> String? {
    if case .speedUp(let factor) = kind, !(factor > 0 && factor.isFinite) {
      return "\(name) cannot be \(factor) times as fast"
    }
    guard let pebble else { return nil }
    if !pebble.outcome.isCompleted { return "\(name) was skipped" }
    if pebble.keptFrom != nil { return "\(name) was kept from an earlier run" }
    return isGiven ? "\(name) was given to the run" : nil
  }

  fileprivate func apply(to plan: inout SimulationPlan, at position: Int) {
    switch kind {
    case .workers(let count): plan.workers = count
    case .takes(let duration): plan.durations[position] = duration.nanoseconds
    case .speedUp(let factor):
      let scaled = (Double(plan.durations[position]) / factor).rounded()
      plan.durations[position] = scaled < 0x1p64 ? UInt64(scaled) : .max
    }
  }

  private var name: String { pebble?.description.shortName ?? "" }

  fileprivate var clause: String {
    switch kind {
    case .takes(let duration): "\(name) in \(duration.brief)"
    case .speedUp(2): "\(name) twice as fast"
    case .speedUp(0.5): "\(name) half as fast"
    case .speedUp(let factor):
      "\(name) \(Int(exactly: factor).map { "\($0)" } ?? "\(factor)") times as fast"
    case .workers(let count): "\(count) at a time"
    }
  }
}

extension WhatIf: CustomStringConvertible {
  /// The changes, their effect and the next bottleneck, in one sentence.
  public var description: String {
    let named = changes.listed(\.clause).joined(separator: ", ")
    let what = changes.isEmpty ? "nothing different" : named
    let effect =
      difference == .zero
      ? "no difference"
      : difference < .zero ? "−\((baseline - makespan).brief)" : "+\(difference.brief)"
    let next = bottleneck.map { step in
      let isChanged = changes.contains { $0.pebble?.description == step.name }
      return ", \(isChanged ? "bottleneck still" : "next bottleneck") \(step.name.shortName)"
    }
    let rest = ignored.isEmpty ? "" : "; ignored: \(ignored.joined(separator: ", "))"
    return "\(what): \(effect)\(next ?? "")\(rest)"
  }
}

extension SimulationPlan {
  /// Creates a plan that repeats a run. The plan does not include waits for a free thread, because
  /// they cannot be planned.
  init(replaying replay: Replay, mainActor: Set<Int>) {
    self.init()
    let table = TimingTable(replay, mainActor: mainActor)
    self.mainActor = mainActor
    durations = replay.run.pebbles.indices.map(table.work)
    cases = replay.records.cases
    for (pebble, record) in replay.run.pebbles.enumerated() {
      switch record.outcome {
      case .failed(let error): failures[pebble] = error
      case .skipped(.disabled): disabled.insert(pebble)
      case .skipped(.notAskedFor): notAskedFor.insert(pebble)
      case .skipped(.cancelled): cancelled.insert(pebble)
      case .skipped(.resourceHeld): holders[pebble] = record.decidedBy
      case .succeeded: kept[pebble] = record.keptFrom
      case .skipped: break
      }
    }
  }
}
