import Pebbles

/// The chain of pebbles that determined how long a run took. The chain ends with the pebble whose
/// body ended last. Every other pebble is the one that its successor waited for last, and the first
/// pebble did not wait for any other.
///
/// ```
/// longest chain: 312 ms of 313 ms
///   loadCores     210 ms
///   migrate        80 ms  after 12 ms, for a limit, until seed ended
///   showMain       10 ms
/// ```
///
/// An AND waits for its last operand, an OR for its first true operand. A pebble that was ready but
/// could not start waited for the pebble that released the resource it needed. A skipped pebble is
/// also in the chain if another pebble waited for the skip. A skip takes no time.
///
/// If the pebble that matters most settles long before the run ends, use
/// ``RecordedRun/criticalPath(to:mainActor:)``, which returns the chain that ends with a given
/// pebble.
public struct CriticalPath: Sendable, Hashable {
  /// The steps, first to last. Their durations and delays add up to ``duration``.
  public let steps: [CriticalStep]

  /// The time from the start of the run to the end of the last step.
  public let duration: Duration

  /// The time that the run took.
  public let makespan: Duration

  /// The longest step, or the first of several equally long steps; `nil` if there are no steps.
  public var bottleneck: CriticalStep? {
    steps.max { $0.duration < $1.duration }
  }
}

/// A pebble on the critical path of a run.
public struct CriticalStep: Sendable, Hashable {
  /// The zero-based position of the pebble in definition order.
  public let position: Int

  /// The name of the pebble.
  public let name: String

  /// The kind of the pebble's last wait.
  public let waitedFor: CriticalWait

  /// The time from the end of the previous step, or from the start of the run, until the body began
  /// to work. This delay is not part of any step's duration.
  public let delay: Duration

  /// The time during which the body ran; zero for a skipped pebble.
  public let duration: Duration

  /// The time at which the pebble settled, as an offset from the start of the run.
  public let finished: Duration

  /// The name of the kind of skip, such as `blocked` or `not needed`; `nil` if the pebble ran.
  package let skipName: String?
}

/// A kind of wait before a step of a critical path. Later versions may add kinds.
@nonexhaustive public enum CriticalWait: String, Sendable {
  /// A wait for nothing but the start of the run.
  case start

  /// A wait for the pebble of the previous step to settle.
  case dependency

  /// A wait for a limit: the previous step's pebble had to release a resource, or its place among
  /// the pebbles that may run at the same time.
  case limit

  /// A wait for the main actor: the previous step's pebble had to release it.
  case mainActor

  /// A wait for a stall: the pebble was skipped only once nothing else was running. The previous
  /// step's body was the last to end before the stall.
  case stall
}

extension CriticalPath {
  /// Creates the critical path from the positions of its pebbles, first to last.
  ///
  /// - Complexity: O(steps), plus O(pebbles + atoms) if a step was skipped.
  init(_ path: [Int], _ table: TimingTable, of run: RecordedRun) {
    var reached: UInt64 = 0
    let areSomeSkipped = path.contains { run.pebbles[$0].outcome.isSkipped }
    let groups = areSomeSkipped ? run.groups(run.skipKinds) : []
    steps = path.map { pebble in
      // A skipped pebble has no body: it begins when it ends. If a record says that a body began
      // before the end of the step that it waited for, the body counts as begun at that end.
      let begin = max(table.workBegin(pebble), reached)
      let delay = begin - reached
      let finished = table.times.finished[pebble]
      reached = max(finished, begin)
      return CriticalStep(
        position: pebble, name: run.pebbles[pebble].name,
        waitedFor: table.wait(of: pebble)?.kind ?? .start, delay: delay.asNanoseconds,
        duration: (reached - begin).asNanoseconds, finished: finished.asNanoseconds,
        skipName: run.pebbles[pebble].outcome.isSkipped ? run.name(of: groups[pebble]) : nil)
    }
    duration = reached.asNanoseconds
    makespan = run.makespan
  }
}

extension TimingTable {
  /// The pebbles on the run's critical path, first to last.
  var criticalPath: [Int] { criticalPath(to: lastBody) }

  /// Returns the pebbles that determined when `last` settled, in chronological order, ending with
  /// `last`; empty if `last` is `nil`.
  func criticalPath(to last: Int?) -> [Int] {
    var next = last
    var path: [Int] = []
    while let pebble = next {
      path.append(pebble)
      next = wait(of: pebble)?.pebble
    }
    return path.reversed()
  }
}
