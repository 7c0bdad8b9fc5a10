/// How a pebble ends, in all scenarios at once: where it runs, and where it is skipped.
///
/// In every scenario it is exactly one of `succeeded`, `failed` and `skipped`; `stalled`,
/// `predicateNeverHeld` and `disabled` are parts of `skipped`, and the rest of that is because of
/// the condition.
package struct SymbolicPebble: Sendable, Hashable {
  package internal(set) var succeeded = BooleanFunction.never
  package internal(set) var failed = BooleanFunction.never
  package internal(set) var skipped = BooleanFunction.never

  /// Succeeded or failed.
  package internal(set) var ran = BooleanFunction.never

  package internal(set) var stalled = BooleanFunction.never
  package internal(set) var predicateNeverHeld = BooleanFunction.never
  package internal(set) var disabled = BooleanFunction.never
}

/// What a variable of a `SymbolicRun` decides.
package enum ScenarioVariable: Sendable, Hashable {
  /// Whether the body of the pebble succeeds, if it is called.
  case body(Int)

  /// Whether the pebble takes part, if it was given `.enabled`.
  case activation(Int)

  /// Whether the predicate ever holds.
  case predicate(Int)
}
