import Pebbles

/// Where the time of a run went: its critical path, the slack of every pebble, and what was waited
/// for.
///
/// ```swift
/// let timing = try report.timing()
/// print(timing.criticalPath)
/// print(timing.blame)
/// ```
///
/// A body counts as at work from its call to its end, also while it waits for something of its own,
/// such as an answer from a server.
///
/// > Note: A pond does not know which bodies run on the main actor: that is the closure's own
/// > business. The caller can say so. Bodies on it are then taken to hold it from start to end,
/// > so of two that overlap the later one is taken to have waited for the other. That is too much
/// > for bodies that suspend on the main actor, and so let others in.
public struct RunTiming: Sendable {
  /// The run.
  public let run: RecordedRun

  private let table: TimingTable
  private let slack: [UInt64]
  private let path: [Int]
  private let isOnPath: [Bool]

  init(_ replay: Replay, mainActor: Set<Int>) {
    run = replay.run
    table = TimingTable(replay, mainActor: mainActor)
    slack = SlackTable(table, replay).slack
    path = table.criticalPath
    var isOnPath = Array(repeating: false, count: run.pebbles.count)
    for pebble in path { isOnPath[pebble] = true }
    self.isOnPath = isOnPath
  }

  /// The chain of pebbles that made the run as long as it was.
  ///
  /// - Complexity: O(steps).
  public var criticalPath: CriticalPath { CriticalPath(path, table, of: run) }

  /// The chain of pebbles that made one of them settle as late as it did; see
  /// ``RecordedRun/criticalPath(to:mainActor:)``.
  ///
  /// - Parameter pebble: The last of the chain; a handle stands for its name.
  /// - Returns: The chain, first to last.
  /// - Throws: `UnknownPebbleError`.
  /// - Complexity: O(pebbles) to find it by its name, and O(steps).
  public func criticalPath(
    to pebble: some PebbleIdentifying
  ) throws(UnknownPebbleError) -> CriticalPath {
    var positions = run.positions
    return try criticalPath(to: positions.position(of: pebble))
  }

  func criticalPath(to position: Int) -> CriticalPath {
    CriticalPath(table.criticalPath(to: position), table, of: run)
  }

  /// The times of the pebble at a position in definition order.
  ///
  /// - Complexity: O(1).
  public subscript(position: Int) -> PebbleTiming {
    let (times, waits) = (table.times, table.waits)
    let isLimited = waits.givers[position] >= 0
    let isForMainActor = waits.mainActorWaiters.contains(position)
    let whileReady = (times.started[position] - times.ready[position]).asNanoseconds
    let inBody = (table.workBegin(position) - times.started[position]).asNanoseconds
    return PebbleTiming(
      position: position, name: run.pebbles[position].name,
      duration: table.work(position).asNanoseconds,
      waitForLimit: isLimited && !isForMainActor ? whileReady : .zero,
      waitForMainActor: inBody + (isForMainActor ? whileReady : .zero),
      waitForRunner: isLimited ? .zero : whileReady,
      slack: slack[position].asNanoseconds, isOnCriticalPath: isOnPath[position])
  }

  /// The times of every pebble, in definition order.
  ///
  /// - Complexity: O(pebbles).
  public var pebbles: [PebbleTiming] { run.pebbles.indices.map { self[$0] } }

  /// The pebbles that ran, longest first; of those that took the same time, in definition order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  public var blame: Blame {
    let ran = run.pebbles.indices.filter(table.times.hasRun)
    let sorted = ran.sorted { (table.work($1), $0) < (table.work($0), $1) }
    return Blame(entries: sorted.map { self[$0] })
  }

  /// How many bodies were at work at a time.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  public var utilization: Utilization {
    let ran = run.pebbles.indices.filter(table.times.hasRun)
    let work = ran.reduce(UInt64(0)) { $0.addingSaturated(table.work($1)) }
    let begun = ran.sorted { table.workBegin($0) < table.workBegin($1) }
    let ends = ran.map { table.times.finished[$0] }.sorted()
    var (peak, idle, reached, ended) = (0, UInt64(0), UInt64(0), 0)
    for (place, pebble) in begun.enumerated() {
      let begin = table.workBegin(pebble)
      while ended < place, ends[ended] <= begin { ended += 1 }
      peak = max(peak, place + 1 - ended)
      idle += begin.subtractingToZero(reached)
      reached = max(reached, table.times.finished[pebble])
    }
    idle += run.makespan.nanoseconds.subtractingToZero(reached)
    return Utilization(
      work: work.asNanoseconds, makespan: run.makespan, peak: peak, idle: idle.asNanoseconds)
  }
}

/// Where the time of one pebble went. All zero for one that was skipped.
public struct PebbleTiming: Sendable, Hashable {
  /// Where the pebble stands in definition order, from 0.
  public let position: Int

  /// The name of the pebble.
  public let name: String

  /// How long its body was at work, all attempts and what lay between them included, without
  /// ``waitForMainActor``.
  public let duration: Duration

  /// How long it was ready and could not start because of a limit: the whole time from ready to
  /// started, if in it another pebble gave back what was missing.
  public let waitForLimit: Duration

  /// How long it waited for the main actor, for pebbles that are said to run there.
  public let waitForMainActor: Duration

  /// How long it was ready although no limit was in its way, as far as can be told: all threads
  /// were busy, or the way to one took its time.
  public let waitForRunner: Duration

  /// How much later it could have ended without making the run longer, had everything else
  /// happened as it did.
  ///
  /// Exact for conditions of ANDs. An OR counts as waiting for the branch that opened it alone; if
  /// that had been late another one might have opened it, so real slack may be larger.
  /// ``RecordedRun/whatIf(_:mainActor:)`` knows.
  public let slack: Duration

  /// Whether it is on the critical path.
  public let isOnCriticalPath: Bool
}

/// How many bodies were at work at a time in a run.
public struct Utilization: Sendable, Hashable {
  /// How long all bodies were at work, together.
  public let work: Duration

  /// How long the run took.
  public let makespan: Duration

  /// How many bodies were at work at a time at most.
  public let peak: Int

  /// How long no body was at work.
  public let idle: Duration

  /// How many bodies were at work on average; 0 if the run took no time.
  public var average: Double { makespan > .zero ? work / makespan : 0 }
}

/// The pebbles of a run that ran, longest first, with what they waited for beside it, so that
/// waiting is not taken for work.
public struct Blame: Sendable, Hashable {
  /// Longest first.
  public let entries: [PebbleTiming]
}
