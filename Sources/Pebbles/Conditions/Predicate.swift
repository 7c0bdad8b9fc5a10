/// The escape hatch of conditions: an opaque closure over what some pebbles did so far.
package final class Predicate: Sendable {
  package let reads: [PebbleReference]
  let holds: @Sendable (RunStorage) -> Bool

  init(reads: [PebbleReference], holds: @escaping @Sendable (RunStorage) -> Bool) {
    self.reads = reads
    self.holds = holds
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
    let indices = reads.map { Int($0.index) }
    let predicate = Predicate(reads: reads) { storage in
      var statuses = storage.state.snapshot(of: indices)[...]
      return holds(
        repeat PebbleSnapshot(of: each pebbles, statuses.removeFirst(), in: storage))
    }
    return Condition(.predicate(predicate), [])
  }
}

/// What a pebble has done so far, as a predicate sees it.
public struct PebbleSnapshot<Output: Sendable>: Sendable {
  /// How the pebble ended, or `nil` while it has not.
  public let outcome: Outcome?

  /// What the pebble produced, or `nil` unless it succeeded.
  public let output: Output?

  init(of pebble: Pebble<Output>, _ status: PebbleStatus, in storage: RunStorage) {
    // A pebble that has settled stays as it is, so only one that had not needs the status given.
    let index = Int(pebble.reference.index)
    outcome = status.isSettled ? storage.outcome(at: index) : nil
    output = status.isSettled ? storage.output(at: index, as: Output.self) : nil
  }

  /// Whether the pebble has succeeded.
  public var succeeded: Bool { outcome?.isSucceeded ?? false }

  /// Whether the pebble has failed.
  public var failed: Bool { outcome?.isFailed ?? false }

  /// Whether the pebble was skipped.
  public var skipped: Bool { outcome?.isSkipped ?? false }

  /// Whether the pebble ran to an end, well or badly.
  public var completed: Bool { succeeded || failed }

  /// Whether the pebble has any outcome.
  public var settled: Bool { outcome != nil }
}
