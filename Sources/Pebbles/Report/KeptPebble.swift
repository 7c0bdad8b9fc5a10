/// A pebble whose success a run keeps from an earlier one.
struct KeptPebble: Sendable {
  /// The run that has called its body.
  let run: RunIdentifier

  /// What its body returned.
  let output: AnyOutput?

  /// Which of its cases hold.
  let cases: CaseSet

  /// What that run notes, if something of the pebble goes on there: a service, or runs inside.
  let origin: RunStorage?
}
