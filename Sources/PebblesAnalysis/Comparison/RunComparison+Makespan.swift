import Pebbles

extension RunComparison {
  /// How much longer the later run took; negative if it took less time.
  public var makespanDifference: Duration { after.makespan - before.makespan }

  /// The pebbles on the critical path of either run whose time on it changed, the largest change
  /// first: those that moved the makespan.
  ///
  /// Their ``PebbleComparison/makespanShare`` and ``gapDifference`` add up to
  /// ``makespanDifference``.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  public var makespanMovers: [PebbleComparison] {
    pebbles.filter { $0.makespanShare != .zero }
      .sorted { $0.makespanShare.magnitude > $1.makespanShare.magnitude }
  }
}

extension PebbleComparison {
  /// By how much it moved the makespan: its time on the critical path of the later run, less that
  /// on the critical path of the earlier one.
  ///
  /// Where another path has become the critical one, the pebbles of the old path gave their time
  /// back and those of the new one took theirs. Together that is what happened to the makespan.
  public var makespanShare: Duration { (criticalAfter ?? .zero) - (criticalBefore ?? .zero) }
}

/// What the pebbles of a critical path had of the makespan.
struct CriticalShares {
  /// By position; those that are not on the path are not in here.
  private(set) var shares: [Int: Duration] = [:]

  /// What remains of the makespan.
  private(set) var gaps: Duration

  init(_ run: RecordedRun, _ path: CriticalPath) {
    gaps = run.makespan
    for step in path.steps {
      shares[step.position] = step.duration
      gaps -= step.duration
    }
  }
}
