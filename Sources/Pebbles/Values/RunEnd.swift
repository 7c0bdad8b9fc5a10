/// How a run ended.
struct RunEnd: Sendable, Equatable {
  /// Nanoseconds since the start of the run.
  let time: UInt64

  /// Why the run was cancelled, if it was.
  let cancellation: RunCancellation?
}
