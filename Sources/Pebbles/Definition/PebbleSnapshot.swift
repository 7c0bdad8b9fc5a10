/// What a pebble has done so far, as a predicate sees it.
public struct PebbleSnapshot<Output: Sendable>: Sendable {
  /// How the pebble ended, or `nil` while it has not.
  public let outcome: Outcome?

  /// What the pebble produced, or `nil` unless it succeeded.
  public let output: Output?

  // The handle only gives the type: in a copy of its pond the pebble stands elsewhere.
  init(
    of pebble: Pebble<Output>, _ seen: (position: Int, status: PebbleStatus),
    in values: RunValues
  ) {
    let (position, status) = seen
    // A pebble that has settled stays as it is, so only one that had not needs the status given.
    outcome = status.isSettled ? values.outcome(at: position) : nil
    output = status.isSettled ? values.output(at: position, as: Output.self) : nil
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
