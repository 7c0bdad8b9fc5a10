import Pebbles

/// The chain of pebbles that made a run as long as it was: the last one to end, what that had
/// really waited for last, what that had, and so on, back to the start of the run.
///
/// ```
/// longest chain: 312 ms of 313 ms
///   loadCores     210 ms
///   migrate        80 ms  after 12 ms, for a limit until seed ended
///   showMain       10 ms
/// ```
///
/// An AND waited for its last operand, an OR for its first true one, a pebble that could not start
/// at once for the one that gave back what it needed. A pebble that was skipped has a place in it
/// too, without taking time, if others waited for that.
///
/// A boot may be ready long before its run ends: ``RecordedRun/criticalPath(to:mainActor:)`` asks
/// for the chain to any pebble, which then stands in the place of the last one to end.
public struct CriticalPath: Sendable, Hashable {
  /// First to last. Their durations and waits add up to ``duration``.
  public let steps: [CriticalStep]

  /// The time from the start of the run to the end of the last step.
  public let duration: Duration

  /// How long the run took.
  public let makespan: Duration

  /// The step that took longest; the first of them, and `nil` if nothing ran.
  public var bottleneck: CriticalStep? {
    steps.max { $0.duration < $1.duration }
  }
}

/// A pebble on the critical path of a run. Times are offsets from the start of the run.
public struct CriticalStep: Sendable, Hashable {
  /// Where the pebble stands in definition order, from 0.
  public let position: Int

  /// The name of the pebble.
  public let name: String

  /// What it waited for last.
  public let waitedFor: CriticalWait

  /// How long after the end of the step before its body was at work. Not its fault, nor that of the
  /// step before: time to get from there to here.
  public let delay: Duration

  /// How long its body was at work; zero for a skipped pebble.
  public let duration: Duration

  /// When it settled.
  public let finished: Duration

  /// Whether it was skipped, so that it took no time.
  public var isSkipped: Bool { skip != nil }

  /// How it was skipped: `blocked`, `not needed`; `nil` if its body ran.
  package let skip: String?
}

/// What a step of a critical path waited for last. More may come with later versions.
public struct CriticalWait: Sendable, Hashable, CustomStringConvertible {
  package enum Kind: String, Sendable {
    case start
    case dependency
    case limit
    case mainActor
    case stall
  }

  package let kind: Kind

  /// Nothing: it could start with the run.
  public static let start = CriticalWait(kind: .start)

  /// That the step before settles.
  public static let dependency = CriticalWait(kind: .dependency)

  /// That the step before gives back what both are limited by.
  public static let limit = CriticalWait(kind: .limit)

  /// That the step before leaves the main actor.
  public static let mainActor = CriticalWait(kind: .mainActor)

  /// That nothing runs any more, so that a stall is settled; the step before was the last to end.
  public static let stall = CriticalWait(kind: .stall)

  /// Its name: `mainActor`.
  public var description: String { kind.rawValue }
}

extension CriticalPath {
  /// - Complexity: O(steps), and O(pebbles + atoms) if some were skipped.
  init(_ path: [Int], _ table: TimingTable, of run: RecordedRun) {
    var reached: UInt64 = 0
    let areSomeSkipped = path.contains { run.pebbles[$0].outcome.isSkipped }
    let groups = areSomeSkipped ? run.groups(run.skipKinds) : []
    steps = path.map { pebble in
      // A skipped pebble has no body: it begins when it ends. And should a record say that a body
      // began before what it waited for had ended, it counts from there.
      let begin = max(table.workBegin(pebble), reached)
      let delay = begin - reached
      let finished = table.times.finished[pebble]
      reached = max(finished, begin)
      return CriticalStep(
        position: pebble, name: run.pebbles[pebble].name,
        waitedFor: CriticalWait(table.wait(of: pebble)?.kind), delay: delay.asNanoseconds,
        duration: (reached - begin).asNanoseconds, finished: finished.asNanoseconds,
        skip: run.pebbles[pebble].outcome.isSkipped ? run.name(of: groups[pebble]) : nil)
    }
    duration = reached.asNanoseconds
    makespan = run.makespan
  }
}

extension CriticalWait {
  init(_ kind: TimingTable.WaitKind?) {
    switch kind {
    case .dependency: self = .dependency
    case .limit: self = .limit
    case .mainActor: self = .mainActor
    case .stall: self = .stall
    case nil: self = .start
    }
  }
}
