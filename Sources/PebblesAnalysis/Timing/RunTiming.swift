import Pebbles

/// The timing of a run: its critical path, the slack of every pebble, and all waits.
///
/// ```swift
/// let timing = try report.timing()
/// print(timing.criticalPath)
/// print(timing.blame)
/// ```
///
/// A body counts as running from its call to its end, even while it waits for something, such as a
/// response from a server.
///
/// > Note: A pond cannot determine which bodies run on the main actor, because each closure
/// > decides this itself. The caller can name the pebbles of these bodies. The bodies then count as
/// > holding the main actor from start to end. If two of them overlap, the later one counts as
/// > waiting for the earlier one. This overstates the waits if a body suspends, because other
/// > bodies can then use the main actor.
public struct RunTiming: Sendable {
  let run: RecordedRun

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

  /// The chain of pebbles that determined how long the run took.
  ///
  /// - Complexity: O(steps), plus O(pebbles + atoms) if a step was skipped.
  public var criticalPath: CriticalPath { CriticalPath(path, table, of: run) }

  /// Returns the chain of pebbles that determined when a given pebble settled; see
  /// ``RecordedRun/criticalPath(to:mainActor:)``.
  ///
  /// - Parameter pebble: The last pebble of the chain; only the name of a handle is used.
  /// - Returns: The chain, first to last.
  /// - Throws: `UnknownPebbleError` if the pebble was not in the run.
  /// - Complexity: O(pebbles), to find the pebble by its name, plus O(pebbles + atoms) if a step
  ///   was skipped.
  public func criticalPath(
    to pebble: some PebbleIdentifying
  ) throws(UnknownPebbleError) -> CriticalPath {
    var positions = run.positions
    return try criticalPath(to: positions.position(of: pebble))
  }

  func criticalPath(to position: Int) -> CriticalPath {
    CriticalPath(table.criticalPath(to: position), table, of: run)
  }

  /// Returns the times of the pebble at a position in definition order.
  ///
  /// - Complexity: O(1).
  package subscript(position: Int) -> PebbleTiming {
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

  /// The positions of the pebbles whose bodies ran in this run. Pebbles whose success was kept from
  /// an earlier run, or whose output was given to the run, are not included.
  private var ran: [Int] {
    run.pebbles.indices.filter {
      table.times.hasRun($0) && run.pebbles[$0].keptFrom == nil && !run.model.isGiven(at: $0)
    }
  }

  /// The pebbles whose bodies ran in this run, longest first. Pebbles that took the same time are
  /// in definition order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  public var blame: Blame {
    let sorted = ran.sorted { (table.work($1), $0) < (table.work($0), $1) }
    return Blame(entries: sorted.map { self[$0] })
  }

  /// The utilization of the machine, measured by the number of bodies that ran at the same time.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  public var utilization: Utilization {
    let ran = ran
    let work = ran.reduce(UInt64(0)) { $0.addingSaturated(table.work($1)) }
    let begun = ran.sorted { table.workBegin($0) < table.workBegin($1) }
    let ends = ran.map { table.times.finished[$0] }.sorted()
    var (peak, idle, reached, ended) = (0, UInt64(0), UInt64(0), 0)
    for (place, pebble) in begun.enumerated() {
      let begin = table.workBegin(pebble)
      while ended < place, ends[ended] <= begin { ended += 1 }
      peak = max(peak, place + 1 - ended)
      idle += begin.subtractingSaturated(reached)
      reached = max(reached, table.times.finished[pebble])
    }
    idle += run.makespan.nanoseconds.subtractingSaturated(reached)
    return Utilization(
      work: work.asNanoseconds, makespan: run.makespan, peak: peak, idle: idle.asNanoseconds)
  }
}

/// The times of one pebble. For a skipped pebble, all durations except ``slack`` are zero.
public struct PebbleTiming: Sendable, Hashable {
  /// The zero-based position of the pebble in definition order.
  public let position: Int

  /// The name of the pebble.
  public let name: String

  /// The time during which the body ran, including all attempts and the time between them, but
  /// excluding ``waitForMainActor``.
  public let duration: Duration

  /// The time during which the pebble was ready but could not start because of a limit. This is the
  /// whole time between becoming ready and starting, or zero if no other pebble released a missing
  /// resource during that time.
  public let waitForLimit: Duration

  /// The time that the pebble spent waiting for the main actor; zero unless the caller specified
  /// that the body runs on the main actor.
  public let waitForMainActor: Duration

  /// The time during which the pebble was ready but did not start, although no known limit
  /// prevented it. For example, all threads may have been busy.
  public let waitForRunner: Duration

  /// The amount of time by which the pebble could have ended later without making the run longer,
  /// if everything else had stayed the same.
  ///
  /// A true OR counts as waiting only for the operand that made it true, a false AND only for the
  /// operand that made it false, and a pebble that waited for a limit only for the pebble that
  /// released the resource. If that operand or pebble had been late, another might have taken its
  /// place, so the real slack may be larger. ``RecordedRun/whatIf(_:mainActor:)`` takes this into
  /// account.
  public let slack: Duration

  /// Whether the pebble is on the critical path.
  public let isOnCriticalPath: Bool
}

/// The utilization of the machine in a run, measured by the number of bodies that ran at the same
/// time.
public struct Utilization: Sendable, Hashable {
  /// The sum of the durations of all bodies that ran.
  public let work: Duration

  /// The time that the run took.
  public let makespan: Duration

  /// The largest number of bodies that ran at the same time.
  public let peak: Int

  /// The time during which no body ran.
  public let idle: Duration

  /// The average number of running bodies; 0 if the run took no time.
  public var average: Double { makespan > .zero ? work / makespan : 0 }
}

/// The pebbles whose bodies ran, longest first. Their waits are listed separately, so that waiting
/// is not mistaken for work.
public struct Blame: Sendable, Hashable {
  /// The times of the pebbles, longest first.
  public let entries: [PebbleTiming]
}
