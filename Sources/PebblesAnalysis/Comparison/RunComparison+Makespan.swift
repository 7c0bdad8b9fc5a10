import Pebbles

extension RunComparison {
  /// The increase in the makespan from the earlier run to the later one; negative if the later run
  /// took less time.
  public var makespanDifference: Duration { after.makespan - before.makespan }

  /// The pebbles that contributed to the change in the makespan, with the largest contribution
  /// first. They are the pebbles whose time on the critical path differs between the runs.
  ///
  /// The sum of their ``PebbleComparison/makespanShare`` values, plus `gapDifference`, is
  /// ``makespanDifference``.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  var makespanMovers: [PebbleComparison] {
    pebbles.filter { $0.makespanShare != .zero }
      .sorted { $0.makespanShare.magnitude > $1.makespanShare.magnitude }
  }
}

extension PebbleComparison {
  /// The pebble's share of the change in the makespan: its time on the critical path of the later
  /// run, minus its time on the critical path of the earlier one.
  ///
  /// If the later run has a different critical path, pebbles that are only on the old path have
  /// negative shares, and pebbles that are only on the new path have positive shares. Pebbles that
  /// are on neither path have a share of zero. No share includes the time between pebbles.
  public var makespanShare: Duration { (criticalAfter ?? .zero) - (criticalBefore ?? .zero) }
}

/// A makespan, divided into the time of each pebble on the critical path and the remaining time.
struct CriticalShares {
  /// The time of each pebble on the critical path, keyed by the position of the pebble. Other
  /// pebbles have no entry.
  private(set) var shares: [Int: Duration] = [:]

  /// The makespan minus all shares.
  private(set) var gaps: Duration

  init(_ run: RecordedRun, _ path: CriticalPath) {
    gaps = run.makespan
    for step in path.steps {
      shares[step.position] = step.duration
      gaps -= step.duration
    }
  }
}
