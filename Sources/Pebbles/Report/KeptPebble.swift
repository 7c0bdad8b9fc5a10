/// A pebble whose success was kept from an earlier run.
struct KeptPebble: Sendable {
  /// The run that called the pebble's body.
  let run: RunIdentifier

  /// The output of the body; `nil` if the body has no output.
  let output: AnyOutput?

  /// The cases that hold for the output.
  let cases: CaseSet

  /// The storage of the run that called the body, if the pebble is still active in that run;
  /// otherwise `nil`. A pebble is still active if it is a service or has runs inside it.
  let origin: RunStorage?

  /// The restart counts of the services that provide the pebble's inputs, keyed by service, as of
  /// the last time the pebble took its inputs. Services that had not been restarted by then are
  /// omitted.
  var inputRestarts: [Int: Int] = [:]

  /// The pebble's duration in the run that called its body, in nanoseconds; 0 if unknown.
  var duration: UInt64 = 0
}
