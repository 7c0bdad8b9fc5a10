import Pebbles

/// A comparison of two runs. It lists the pebbles that got slower or faster, changed the makespan,
/// ended differently, or are in only one of the runs.
///
/// ```swift
/// print(try after.compared(to: before))
/// ```
///
/// ```
/// boot: 312 ms before, 402 ms after (+90.0 ms, +28.8%)
///
/// moved the makespan     before      after     change
///   loadCores            210 ms     290 ms   +80.0 ms  +38.1%
///   between pebbles     2.00 ms    12.0 ms   +10.0 ms
/// …
/// ```
///
/// Pebbles are matched by name. The runs may be of different ponds, because comparisons are mainly
/// used to compare a boot with a boot of the previous release.
public struct RunComparison: Sendable {
  /// The earlier run.
  public let before: RecordedRun

  /// The later run, which is compared to the earlier one.
  public let after: RecordedRun

  /// All pebbles of both runs: first the pebbles of the later run in definition order, then the
  /// pebbles that are only in the earlier run.
  public let pebbles: [PebbleComparison]

  /// The increase in the total length of the gaps from the earlier run to the later one. A gap is a
  /// period in which no pebble on the critical path was running.
  let gapDifference: Duration

  /// The total time in each run during which no pebble on the critical path was running.
  let gaps: (before: Duration, after: Duration)

  /// Creates a comparison of two runs.
  ///
  /// - Parameters:
  ///   - before: The earlier run.
  ///   - after: The later run, which is compared to the earlier one.
  ///   - mainActor: The pebbles whose bodies run on the main actor. They affect the critical paths;
  ///     see ``RunTiming``. They are found by name in each run; each must be in at least one of the
  ///     runs.
  /// - Throws: ``RecordingError`` if the pebbles of a run cannot have ended as recorded, and
  ///   `UnknownPebbleError` if a pebble of `mainActor` is in neither run.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  init(
    from before: RecordedRun, to after: RecordedRun, mainActor: [any PebbleIdentifying] = []
  ) throws {
    self.before = before
    self.after = after
    let onMain = try Self.positions(of: mainActor, before, after)
    let old = CriticalShares(before, try before.criticalPath(mainActor: onMain.before))
    let new = CriticalShares(after, try after.criticalPath(mainActor: onMain.after))
    var positions = Dictionary(zip(before.pebbles.map(\.name), 0...)) { first, _ in first }
    var pebbles: [PebbleComparison] = []
    for (position, pebble) in after.pebbles.enumerated() {
      let earlier = positions.removeValue(forKey: pebble.name)
      pebbles.append(
        PebbleComparison(
          before: earlier.map { before.pebbles[$0] }, after: pebble, name: pebble.name,
          criticalBefore: earlier.flatMap { old.shares[$0] }, criticalAfter: new.shares[position]))
    }
    for position in positions.values.sorted() {
      let pebble = before.pebbles[position]
      pebbles.append(
        PebbleComparison(
          before: pebble, after: nil, name: pebble.name, criticalBefore: old.shares[position],
          criticalAfter: nil))
    }
    self.pebbles = pebbles
    gaps = (old.gaps, new.gaps)
    gapDifference = new.gaps - old.gaps
  }

  /// Returns the positions of pebbles in each run. Each pebble must be in at least one of the runs.
  private static func positions(
    of pebbles: [any PebbleIdentifying], _ before: RecordedRun, _ after: RecordedRun
  ) throws(UnknownPebbleError) -> (before: Set<Int>, after: Set<Int>) {
    var (old, new) = (before.positions, after.positions)
    var found: (before: Set<Int>, after: Set<Int>) = ([], [])
    for pebble in pebbles {
      if let position = try? old.position(of: pebble) {
        found.before.insert(position)
        if let position = try? new.position(of: pebble) { found.after.insert(position) }
      } else {
        found.after.insert(try new.position(of: pebble))
      }
    }
    return found
  }

  /// The pebbles that ran in both runs and took longer in the later one, with the largest
  /// difference first.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  public var slower: [PebbleComparison] {
    changed { $0 > .zero }.sorted { $0.orderedDifference > $1.orderedDifference }
  }

  /// The pebbles that ran in both runs and took less time in the later one, with the largest
  /// difference first.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  public var faster: [PebbleComparison] {
    changed { $0 < .zero }.sorted { $0.orderedDifference < $1.orderedDifference }
  }

  /// The pebbles that ended differently in the two runs: with another outcome (succeeded, failed or
  /// skipped), or with another case.
  public var changedOutcomes: [PebbleComparison] { pebbles.filter(\.hasChangedOutcome) }

  /// The pebbles that are only in the later run.
  public var new: [PebbleComparison] { pebbles.filter { $0.before == nil } }

  /// The pebbles that are only in the earlier run.
  public var vanished: [PebbleComparison] { pebbles.filter { $0.after == nil } }

  /// A sentence that states why the later run missed its goal; `nil` unless the earlier run reached
  /// its goal and the later run missed its own.
  public var lostGoal: String? {
    guard (try? before.isGoalReached) == true else { return nil }
    return (try? after.missedGoal) ?? nil
  }

  /// The late failures of the later run, except those of pebbles that also had late failures in the
  /// earlier run. Each element has the name of the pebble and a clause such as
  /// `"it could not be torn down: disk full"`.
  ///
  /// A late failure occurs after the pebble has settled: a service ended without being asked to
  /// stop, or a teardown failed.
  package var newLateFailures: [(pebble: String, clause: String)] {
    let known = Set(before.lateFailures.keys.map { before.pebbles[$0].name })
    return after.lateFailures.sorted { $0.key < $1.key }.flatMap { position, clauses in
      let name = after.pebbles[position].name
      return known.contains(name) ? [] : clauses.map { (name, $0) }
    }
  }

  private func changed(_ isWanted: (Duration) -> Bool) -> [PebbleComparison] {
    pebbles.filter { $0.difference.map(isWanted) ?? false }
  }
}

extension Duration {
  /// The absolute value of the duration.
  var magnitude: Duration { self < .zero ? .zero - self : self }
}
