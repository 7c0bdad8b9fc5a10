/// The escape hatch of conditions: an opaque closure over what some pebbles did so far.
package final class Predicate: Sendable {
  package let reads: [PebbleReference]

  /// Where the pebbles read stand in a run.
  private let positions: [Int]
  private let test: @Sendable (RunValues, [Int]) -> Bool

  /// - Parameters:
  ///   - reads: What is read.
  ///   - test: Given the values of a run and where the pebbles read stand there.
  init(reads: [PebbleReference], holds test: @escaping @Sendable (RunValues, [Int]) -> Bool) {
    self.reads = reads
    self.test = test
    positions = reads.map { Int($0.index) }
  }

  /// A predicate of which only the reads are known. It never holds.
  package convenience init(reads: [PebbleReference]) {
    self.init(reads: reads) { _, _ in false }
  }

  package func holds(_ values: RunValues) -> Bool { test(values, positions) }

  /// The same predicate over other pebbles, as many as before.
  func reading(_ reads: [PebbleReference]) -> Predicate {
    Predicate(reads: reads, holds: test)
  }
}

extension Condition {
  /// A condition decided by a closure over snapshots of the pebbles it reads.
  ///
  /// ```swift
  /// let isBeta = Condition.predicate(reading: settings) { $0.output?.channel == .beta }
  /// ```
  ///
  /// Prefer atoms and operators: the pond can draw, explain and check those, and it can only guess
  /// at a closure. A predicate is evaluated at the start of a run and whenever a pebble it reads
  /// settles, never concurrently with itself. Once it returns `true` it stays true for that run. It
  /// counts as false only when nothing else can happen any more; a pebble left waiting for nothing
  /// but predicates is then skipped with ``SkipReason/predicateNeverHeld``.
  ///
  /// - Parameters:
  ///   - pebbles: The pebbles the closure may look at.
  ///   - holds: Called with one snapshot per pebble, in order. It must be quick and must not block.
  /// - Returns: The condition that the closure has returned `true`.
  public static func predicate<each Output: Sendable>(
    reading pebbles: repeat Pebble<each Output>,
    holds: @escaping @Sendable (repeat PebbleSnapshot<each Output>) -> Bool
  ) -> Condition {
    var reads: [PebbleReference] = []
    for pebble in repeat each pebbles { reads.append(pebble.reference) }
    let predicate = Predicate(reads: reads) { values, positions in
      var seen = Array(zip(positions, values.state.snapshot(of: positions)))[...]
      return holds(repeat PebbleSnapshot(of: each pebbles, seen.removeFirst(), in: values))
    }
    return Condition(.predicate(predicate), [])
  }
}
