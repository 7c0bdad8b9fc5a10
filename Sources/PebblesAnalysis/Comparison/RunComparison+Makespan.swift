import Pebbles

extension RunComparison {
  /// The increase of the makespan in the later run; negative if that run took less time.
  public var makespanDifference: Duration { after.makespan - before.makespan }

  /// The pebbles that moved the makespan: the ones on the critical path of either run whose time on
  /// it changed, with the largest change first.
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
  /// The pebble's share in the change of the makespan: its time on the critical path of the later
  /// run, minus its time on the critical path of the earlier one.
  ///
  /// If another path has become the critical one, the pebbles of the old path gave their time back,
  /// and the pebbles of the new path took theirs. Together, this is the change of the makespan.
  public var makespanShare: Duration { (criticalAfter ?? .zero) - (criticalBefore ?? .zero) }
}

/// The shares of the makespan that the pebbles of a critical path had.
struct CriticalShares {
  /// The time of each pebble on the path, by position. Pebbles that are not on the path are not in
  /// here.
  private(set) var shares: [Int: Duration] = [:]

  /// The rest of the makespan.
  private(set) var gaps: Duration

  init(_ run: RecordedRun, _ path: CriticalPath) {
    gaps = run.makespan
    for step in path.steps {
      shares[step.position] = step.duration
      gaps -= step.duration
    }
  }
}
