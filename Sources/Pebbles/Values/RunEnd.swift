/// The end of a run: its time, and the cancellation, if there was one.
struct RunEnd: Sendable, Equatable {
  /// The time of the end, in nanoseconds since the start of the run.
  let time: UInt64

  /// The reason that the run was cancelled; `nil` if it was not cancelled.
  let cancellation: RunCancellation?
}
