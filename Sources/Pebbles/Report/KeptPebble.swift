/// A pebble whose success a run keeps from an earlier run.
struct KeptPebble: Sendable {
  /// The run that called its body.
  let run: RunIdentifier

  /// The output of its body.
  let output: AnyOutput?

  /// The cases that hold.
  let cases: CaseSet

  /// The storage of that run, if something of the pebble is still active there: a service, or runs
  /// inside.
  let origin: RunStorage?
}
