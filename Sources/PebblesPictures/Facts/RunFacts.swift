import Pebbles
import PebblesAnalysis

/// The facts that pictures of a run show: its records, its longest chain, and the reasons why ready
/// pebbles waited. Times are in nanoseconds.
struct RunFacts {
  let run: RecordedRun

  /// The steps of the longest chain, in order; empty if it is unknown.
  let chain: [CriticalStep]

  /// The reason why the longest chain is unknown; `nil` if it is known.
  let problem: String?

  /// Whether each pebble is on the longest chain, indexed by pebble.
  let isOnChain: [Bool]

  /// Clauses about late failures, which are problems that occurred after a pebble had settled. The
  /// clauses are keyed by the position of the pebble.
  let lateFailures: [Int: [String]]

  /// The kind of skip of each pebble; `nil` for pebbles that ran.
  let skipKinds: [SkipKind?]

  private let timing: RunTiming?

  /// A reason why a ready pebble had to wait.
  enum Wait {
    case limit, thread
  }

  /// Creates the facts of a run.
  ///
  /// - Complexity: The same as for `RecordedRun.timing()`.
  init(_ run: RecordedRun) {
    self.run = run
    lateFailures = run.lateFailures
    skipKinds = run.skipKinds
    var isOnChain = Array(repeating: false, count: run.pebbles.count)
    do {
      let timing = try run.timing()
      self.timing = timing
      chain = timing.criticalPath.steps
      problem = nil
      for step in chain { isOnChain[step.position] = true }
    } catch {
      // A picture of a recording is useful even if the recording contradicts itself.
      timing = nil
      chain = []
      problem = "\(error)"
    }
    self.isOnChain = isOnChain
  }

  /// Returns the time at which the body of a pebble was first called or, if the pebble was skipped,
  /// the time at which it settled.
  func begin(of pebble: Int) -> UInt64 {
    let record = run.pebbles[pebble]
    return (record.started ?? record.finished).nanoseconds
  }

  func end(of pebble: Int) -> UInt64 { run.pebbles[pebble].finished.nanoseconds }

  /// Returns the time at which a pebble became ready or, if it was skipped, the time at which it
  /// settled.
  func ready(of pebble: Int) -> UInt64 {
    let record = run.pebbles[pebble]
    return (record.ready ?? record.started ?? record.finished).nanoseconds
  }

  /// Returns the reason why a pebble did not start as soon as it was ready; `nil` if there was no
  /// delay.
  func wait(of pebble: Int) -> Wait? {
    guard ready(of: pebble) < begin(of: pebble) else { return nil }
    guard let timing else { return .thread }
    return timing[pebble].waitForLimit > .zero ? .limit : .thread
  }

  /// The pebbles in the order in which they started. A skipped pebble counts as started when it was
  /// skipped.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  var byStart: [Int] {
    let begins = run.pebbles.indices.map(begin)
    let ends = run.pebbles.indices.map(end)
    // A pebble that took no time may have caused another pebble that begins at the same time.
    var places = Array(repeating: Int.max, count: begins.count)
    for (place, step) in chain.enumerated() { places[step.position] = place }
    return run.pebbles.indices.sorted {
      (begins[$0], ends[$0], places[$0], $0) < (begins[$1], ends[$1], places[$1], $1)
    }
  }
}
