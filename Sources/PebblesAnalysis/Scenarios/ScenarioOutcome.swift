import Pebbles

/// How a pebble ends in a scenario. There are more ways where there are more reasons to be skipped,
/// see `SkipReason`.
public struct ScenarioOutcome: Sendable, Hashable {
  package enum Kind: Sendable {
    case succeeded
    case failed
    case skipped
    case stalled
    case disabled
    case notAskedFor
    case cancelled
  }

  package let kind: Kind

  /// The body returns.
  public static let succeeded = ScenarioOutcome(kind: .succeeded)

  /// The body throws.
  public static let failed = ScenarioOutcome(kind: .failed)

  /// The condition becomes false.
  public static let skipped = ScenarioOutcome(kind: .skipped)

  /// Nothing runs, nothing is ready, and the pebble waits, perhaps through others, for itself.
  public static let stalled = ScenarioOutcome(kind: .stalled)

  /// The pebble takes no part in the run.
  public static let disabled = ScenarioOutcome(kind: .disabled)

  /// The run is of some pebbles only, and none of them needs this one.
  public static let notAskedFor = ScenarioOutcome(kind: .notAskedFor)

  /// The run is cancelled, by a failure that no pebble handles, before the pebble starts.
  public static let cancelled = ScenarioOutcome(kind: .cancelled)

  /// Whether the body is called.
  public var isCompleted: Bool { self == .succeeded || self == .failed }

  /// Whether the body is never called, for whatever reason.
  public var isSkipped: Bool { !isCompleted }
}

extension ScenarioOutcome {
  /// How a pebble has ended in a run that was simulated to its end, or until it was cancelled.
  init(_ status: PebbleStatus) {
    switch status {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .skippedByCondition: self = .skipped
    case .skippedByStall: self = .stalled
    case .skippedAsDisabled: self = .disabled
    case .skippedAsNotAskedFor: self = .notAskedFor
    case .skippedByCancellation: self = .cancelled
    case .waiting, .running, .skippedByHolder:
      preconditionFailure("a pebble was left over in a simulation: \(status)")
    }
  }

  var status: PebbleStatus {
    switch kind {
    case .succeeded: .succeeded
    case .failed: .failed
    case .skipped: .skippedByCondition
    case .stalled: .skippedByStall
    case .disabled: .skippedAsDisabled
    case .notAskedFor: .skippedAsNotAskedFor
    case .cancelled: .skippedByCancellation
    }
  }
}

extension ScenarioOutcome: CustomStringConvertible {
  /// The outcome as a clause.
  public var description: String {
    switch kind {
    case .succeeded: "succeeds"
    case .failed: "fails"
    case .skipped: "is skipped"
    case .stalled: "is skipped: it waits for itself"
    case .disabled: "is disabled"
    case .notAskedFor: "is not asked for"
    case .cancelled: "is cancelled before it starts"
    }
  }
}
