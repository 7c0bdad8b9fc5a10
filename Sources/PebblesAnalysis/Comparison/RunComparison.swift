import Pebbles

/// Two runs side by side: what got slower or faster, which of it moved the makespan, which pebbles
/// are new or have vanished, and which ended differently.
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
/// Pebbles are the same if they have the same name. The ponds need not be: comparing a boot to that
/// of the last release is what this is for.
public struct RunComparison: Sendable {
  /// The run that came first.
  public let before: RecordedRun

  /// The run that is compared to it.
  public let after: RecordedRun

  /// Every pebble of either run: those of the later run in definition order, then those that have
  /// vanished.
  public let pebbles: [PebbleComparison]

  /// How much longer the critical path was in between pebbles and after the last one: time in which
  /// none of its bodies was at work.
  public let gapDifference: Duration

  /// The same time before and after.
  let gaps: (before: Duration, after: Duration)

  /// Compares two runs.
  ///
  /// - Parameters:
  ///   - before: The run that came first.
  ///   - after: The run to compare to it.
  ///   - mainActor: Pebbles whose bodies run on the main actor, for the critical paths; see
  ///     ``RunTiming``. In each run they are those of these names; one of the runs has to have
  ///     them.
  /// - Throws: ``RecordingError`` if the pebbles of a run cannot have ended as recorded, and
  ///   `UnknownPebbleError`.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public init(
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

  /// Where pebbles stand in the runs; a pebble may be new, or have vanished.
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

  /// The pebbles that ran both times and took longer, by how much; largest difference first.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  public var slower: [PebbleComparison] {
    changed { $0 > .zero }.sorted { $0.orderedDifference > $1.orderedDifference }
  }

  /// The pebbles that ran both times and took less time, by how much; largest difference first.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  public var faster: [PebbleComparison] {
    changed { $0 < .zero }.sorted { $0.orderedDifference < $1.orderedDifference }
  }

  /// The pebbles that succeeded, failed or were skipped in one run, and did something else of these
  /// in the other, or did so as another case.
  public var changedOutcomes: [PebbleComparison] { pebbles.filter(\.hasChangedOutcome) }

  /// The pebbles that only the later run has.
  public var new: [PebbleComparison] { pebbles.filter { $0.before == nil } }

  /// The pebbles that only the earlier run has.
  public var vanished: [PebbleComparison] { pebbles.filter { $0.after == nil } }

  /// Why the later run has not reached its goal, as a sentence, where the earlier one has reached
  /// its own; `nil` otherwise.
  public var lostGoal: String? {
    guard (try? before.isGoalReached) == true else { return nil }
    return (try? after.missedGoal) ?? nil
  }

  /// What went wrong with pebbles of the later run after they had settled, and with none of these
  /// names in the earlier one: services that ended unasked, and what could not be torn down.
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
  /// Without its sign.
  var magnitude: Duration { self < .zero ? .zero - self : self }
}
