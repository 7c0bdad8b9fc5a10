import Pebbles

/// What a run would have been like with some pebbles faster or slower: the same outcomes played
/// once more, without bodies.
///
/// ```swift
/// print(try report.recorded().whatIf([.pebble(loadCores, speedUp: 2)]))
/// // loadCores twice as fast: −210 ms, next bottleneck migrate
/// ```
///
/// ORs, limits, priorities and, if told of it, the main actor have their part in it, as they have
/// in a run. What a real run adds, such as the way to a free thread, has not: both makespans that
/// are compared are played. Bodies end as they did; one that timed out does so in less time, too.
public struct WhatIf: Sendable {
  /// The run as it would have been.
  public let run: RecordedRun

  /// How long the run would have taken if nothing were different: close to what it really took, if
  /// starting pebbles took next to no time.
  public let baseline: Duration

  /// What would keep the run from being still shorter: the pebble that takes longest on its new
  /// critical path; `nil` if nothing ran.
  public let bottleneck: CriticalStep?

  /// Changes that could not be made, as clauses: of pebbles that the run does not have, or by a
  /// factor that is not a positive number.
  public let ignored: [String]

  fileprivate let changes: [Change]

  /// How long the run would have taken.
  public var makespan: Duration { run.makespan }

  /// How much longer it would have taken; negative if it would have been shorter.
  public var difference: Duration { makespan - baseline }

  /// Something that is different.
  public struct Change: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case takes(Duration)
      case speedUp(Double)
      case workers(Int)
    }

    let pebble: String
    let kind: Kind

    /// A pebble takes another time.
    ///
    /// - Parameters:
    ///   - pebble: The pebble; known by its name in runs of other processes.
    ///   - duration: How long its body takes, not counting waits; negative is zero.
    /// - Returns: The change.
    public static func pebble<Output>(
      _ pebble: Pebble<Output>, takes duration: Duration
    ) -> Change {
      .pebble(pebble.reference.name, takes: duration)
    }

    /// The pebble of a name takes another time.
    ///
    /// - Parameters:
    ///   - name: The name of the pebble.
    ///   - duration: How long its body takes, not counting waits; negative is zero.
    /// - Returns: The change.
    public static func pebble(_ name: String, takes duration: Duration) -> Change {
      Change(pebble: name, kind: .takes(duration))
    }

    /// A pebble is faster.
    ///
    /// - Parameters:
    ///   - pebble: The pebble; known by its name in runs of other processes.
    ///   - factor: How much faster: 2 halves its time, 0.5 doubles it. Positive.
    /// - Returns: The change.
    public static func pebble<Output>(_ pebble: Pebble<Output>, speedUp factor: Double) -> Change {
      .pebble(pebble.reference.name, speedUp: factor)
    }

    /// The pebble of a name is faster.
    ///
    /// - Parameters:
    ///   - name: The name of the pebble.
    ///   - factor: How much faster: 2 halves its time, 0.5 doubles it. Positive.
    /// - Returns: The change.
    public static func pebble(_ name: String, speedUp factor: Double) -> Change {
      Change(pebble: name, kind: .speedUp(factor))
    }

    /// Only so many bodies are at work at a time, one at least.
    ///
    /// - Parameter count: How many.
    /// - Returns: The change.
    public static func workers(_ count: Int) -> Change {
      Change(pebble: "", kind: .workers(count))
    }
  }
}

extension RecordedRun {
  /// What the run would have been like with some pebbles faster or slower.
  ///
  /// - Parameters:
  ///   - changes: What is different; of several for one pebble the last one counts.
  ///   - mainActor: The names of pebbles whose bodies run on the main actor, which they hold for as
  ///     long as they take. Names that the run does not have are ignored.
  /// - Returns: The run as it would have been.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func whatIf(
    _ changes: [WhatIf.Change], mainActor: Set<String> = []
  ) throws(RecordingError) -> WhatIf {
    let mainActor = positions(named: mainActor)
    let replay = try Replay(self)
    let plan = SimulationPlan(replaying: replay, mainActor: mainActor)
    var changed = plan
    var ignored: [String] = []
    for change in changes {
      if let problem = change.apply(to: &changed, from: plan, of: self) { ignored.append(problem) }
    }
    let run = Simulator(model, changed).run()
    let table = TimingTable(try Replay(run), mainActor: mainActor)
    return WhatIf(
      run: run, baseline: Simulator(model, plan).makespan(),
      bottleneck: CriticalPath(table.criticalPath, table, of: run).bottleneck, ignored: ignored,
      changes: changes)
  }
}

extension WhatIf.Change {
  /// - Returns: Why the change could not be made, if so.
  fileprivate func apply(
    to plan: inout SimulationPlan, from original: SimulationPlan, of run: RecordedRun
  ) -> String? {
    if case .workers(let count) = kind {
      plan.workers = count
      return nil
    }
    guard let position = run.pebbles.firstIndex(where: { $0.name == pebble }) else {
      return "\(pebble.shortName) was not in the run"
    }
    switch kind {
    case .takes(let duration): plan.durations[position] = duration.nanoseconds
    case .speedUp(let factor):
      guard factor > 0, factor.isFinite else {
        return "\(pebble.shortName) cannot be \(factor) times as fast"
      }
      let scaled = (Double(original.durations[position]) / factor).rounded()
      plan.durations[position] = scaled < 0x1p64 ? UInt64(scaled) : .max
    case .workers: break
    }
    return nil
  }

  fileprivate var clause: String {
    switch kind {
    case .takes(let duration): "\(pebble.shortName) in \(duration.brief)"
    case .speedUp(2): "\(pebble.shortName) twice as fast"
    case .speedUp(0.5): "\(pebble.shortName) half as fast"
    case .speedUp(let factor):
      "\(pebble.shortName) \(Int(exactly: factor).map { "\($0)" } ?? "\(factor)") times as fast"
    case .workers(let count): "\(count) at a time"
    }
  }
}

extension WhatIf: CustomStringConvertible {
  /// One sentence: what is different, what comes of it, and where to look next.
  public var description: String {
    let named = changes.prefix(4).map(\.clause)
    let more = changes.count > 4 ? ["\(changes.count - 4) more"] : []
    let what = changes.isEmpty ? "nothing different" : (named + more).joined(separator: ", ")
    let effect =
      difference == .zero
      ? "no difference"
      : difference < .zero ? "−\((baseline - makespan).brief)" : "+\(difference.brief)"
    let next = bottleneck.map { step in
      let isChanged = changes.contains { $0.pebble == step.name }
      return ", \(isChanged ? "bottleneck still" : "next bottleneck") \(step.name.shortName)"
    }
    let rest = ignored.isEmpty ? "" : "; ignored: \(ignored.joined(separator: ", "))"
    return "\(what): \(effect)\(next ?? "")\(rest)"
  }
}

extension SimulationPlan {
  /// Everything as it was in a run, but for what cannot be planned: when a free thread was found.
  init(replaying replay: Replay, mainActor: Set<Int>) {
    self.init()
    let table = TimingTable(replay, mainActor: mainActor)
    self.mainActor = mainActor
    durations = replay.run.pebbles.indices.map(table.work)
    for (pebble, record) in replay.run.pebbles.enumerated() {
      switch record.outcome {
      case .failed(let error): failures[pebble] = error
      case .skipped(.disabled): disabled.insert(pebble)
      case .skipped(.cancelled): cancelled.insert(pebble)
      case .succeeded, .skipped: break
      }
    }
    let deciders = replay.predicateDeciders
    predicateHolds = { question in
      guard let decider = deciders[question.predicate] else { return false }
      return decider < 0 || question.event(of: decider) != nil
    }
  }
}

extension Replay {
  /// For each predicate that held, what it read that had settled last by then; -1 for nothing.
  fileprivate var predicateDeciders: [Int: Int] {
    var deciders: [Int: Int] = [:]
    for (predicate, reads) in state.network.predicateReads.enumerated()
    where state.isHeld(predicate: predicate) {
      let known = reads.lazy.map(Int.init).filter {
        order.pebbles[$0] < order.predicates[predicate]
      }
      deciders[predicate] = known.max { order.pebbles[$0] < order.pebbles[$1] } ?? -1
    }
    return deciders
  }
}
