/// What a run goes on with that resumes another one.
struct Resumption: Sendable {
  /// How pebbles stand as the run begins.
  let known: KnownOutcomes

  /// What is kept, by pebble.
  let kept: [Int: KeptPebble]

  /// The runs before it, and in the end itself.
  let line: RunLine

  /// The pebbles of which a body may still go on that an earlier run has called.
  let goingOn: Set<Int>

  /// The attempt that the runs of the line belong to, if the first was started inside of one.
  let owner: RunOwner?

  /// The first run of the line: what is done once for it is not to be done again.
  let first: RunIdentifier

  /// The runs of the line that had been torn down before this one began.
  let tornDownBefore: Set<RunIdentifier>
}
