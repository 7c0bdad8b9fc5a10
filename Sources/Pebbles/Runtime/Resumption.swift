/// The state with which a run resumes another one.
struct Resumption: Sendable {
  /// The outcomes known when the run begins.
  let known: KnownOutcomes

  /// The kept pebbles.
  let kept: [Int: KeptPebble]

  /// The line of runs that resume each other, which this run joins.
  let line: RunLine

  /// The pebbles whose bodies were called by an earlier run and may still be running.
  let goingOn: Set<Int>

  /// The attempt that the runs of the line belong to; `nil` if the first run was not started in an
  /// attempt.
  let owner: RunOwner?

  /// The identifier of the first run of the line. It is part of the idempotency keys of all runs of
  /// the line, so that work that must be done only once is not repeated.
  let first: RunIdentifier

  /// The runs of the line that had been torn down before this one began.
  let tornDownBefore: Set<RunIdentifier>
}
