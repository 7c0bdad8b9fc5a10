import Pebbles
import PebblesAnalysis

/// What pictures tell of a run: its records, its longest chain, and what its pebbles waited for
/// while they were ready. Times are in nanoseconds.
struct RunFacts {
  let run: RecordedRun

  /// The longest chain, first to last; empty if it is not known.
  let chain: [CriticalStep]

  /// Why it is not known.
  let problem: String?

  /// By pebble, whether it is on the chain.
  let isOnChain: [Bool]

  /// What went wrong with pebbles after they had settled.
  let lateFailures: [Int: [String]]

  /// By pebble, whether it matters that it was skipped; `nil` for one that ran.
  let skipKinds: [SkipKind?]

  private let timing: RunTiming?

  /// What a pebble waited for that was ready.
  enum Wait {
    case limit, thread
  }

  /// - Complexity: That of `RecordedRun.timing()`.
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
      // A picture of what was recorded is of use, too, if that cannot have been so.
      timing = nil
      chain = []
      problem = "\(error)"
    }
    self.isOnChain = isOnChain
  }

  /// When the body was called first; when it settled, for a skipped pebble.
  func begin(of pebble: Int) -> UInt64 {
    let record = run.pebbles[pebble]
    return (record.started ?? record.finished).nanoseconds
  }

  func end(of pebble: Int) -> UInt64 { run.pebbles[pebble].finished.nanoseconds }

  /// When the condition was decided.
  func ready(of pebble: Int) -> UInt64 {
    let record = run.pebbles[pebble]
    return (record.ready ?? record.started ?? record.finished).nanoseconds
  }

  /// What the pebble waited for from being ready to its start; `nil` if it did not wait.
  func wait(of pebble: Int) -> Wait? {
    guard ready(of: pebble) < begin(of: pebble) else { return nil }
    guard let timing else { return .thread }
    return timing[pebble].waitForLimit > .zero ? .limit : .thread
  }

  /// The pebbles by start; those that were skipped in place, by when that was.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  var byStart: [Int] {
    let begins = run.pebbles.indices.map(begin)
    let ends = run.pebbles.indices.map(end)
    // What takes no time may have caused what begins in the same moment.
    var places = Array(repeating: Int.max, count: begins.count)
    for (place, step) in chain.enumerated() { places[step.position] = place }
    return run.pebbles.indices.sorted {
      (begins[$0], ends[$0], places[$0], $0) < (begins[$1], ends[$1], places[$1], $1)
    }
  }
}
