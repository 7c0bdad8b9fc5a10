/// The state that a run takes over when it resumes an earlier run.
struct Resumption: Sendable {
  /// The outcomes known when the run begins.
  let known: KnownOutcomes

  /// The kept pebbles, keyed by position.
  let kept: [Int: KeptPebble]

  /// The chain of runs that this run joins. Each run of the chain, except the first, resumes an
  /// earlier one.
  let chain: RunChain

  /// The pebbles whose bodies were called by an earlier run and may still be running.
  let pebblesWithRunningBodies: Set<Int>

  /// The attempt that owns the runs of the chain; `nil` if the first run was not started inside an
  /// attempt.
  let owner: RunOwner?

  /// The identifier of the first run in the chain. It is part of the idempotency keys of all runs
  /// in the chain, so that receivers can recognize repeated requests.
  let first: RunIdentifier

  /// The runs in the chain that had been torn down before this run began.
  let tornDownBefore: Set<RunIdentifier>
}
