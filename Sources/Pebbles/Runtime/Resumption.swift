/// The state with which a run resumes another one.
struct Resumption: Sendable {
  /// The outcomes known when the run begins.
  let known: KnownOutcomes

  /// The kept pebbles.
  let kept: [Int: KeptPebble]

  /// The line of the run: all runs that resume each other, and finally the run itself.
  let line: RunLine

  /// The pebbles whose body an earlier run has called and may still be running.
  let goingOn: Set<Int>

  /// The attempt that the runs of the line belong to; `nil` if the first one was not started in an
  /// attempt.
  let owner: RunOwner?

  /// The first run of the line. Its identifier stays the same in all runs of the line, so that work
  /// guarded by it is done only once.
  let first: RunIdentifier

  /// The runs of the line that had been torn down before this one began.
  let tornDownBefore: Set<RunIdentifier>
}
