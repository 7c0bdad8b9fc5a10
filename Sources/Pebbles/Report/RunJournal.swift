/// A journal that makes it possible to continue a run in another process. Each event is recorded
/// before it has any consequence.
///
/// The methods may be called on any thread. Except for `keeps(_:)`, they are called outside of all
/// locks. Times are in nanoseconds since the start of the run, and pebbles are identified by their
/// positions in definition order.
package protocol RunJournal: AnyObject, Sendable {
  /// Sets the closure that is called when nothing more can be recorded. The closure is called at
  /// most once. Its argument describes the problem, worded to follow "its journal" in a sentence:
  /// `"could not be written"`.
  func whenBroken(_ handler: @escaping @Sendable (_ problem: String) -> Void)

  /// Records that the run has begun, or is being continued in this process. Returns once the
  /// beginning has been recorded.
  func runBegan(_ beginning: RunBeginning) async

  /// Records that a body is about to be called.
  func bodyCalled(_ pebble: Int, attempt: Int, at time: UInt64)

  /// Records that a body has failed, and will be called again at the time `next`.
  func attemptFailed(_ pebble: Int, _ attempt: PebbleAttempt, next: UInt64)

  /// Records that a body has ended and will not be called again, or that a service is ready.
  /// Returns once the event has been recorded.
  func bodyEnded(_ end: RunProgress.End) async

  /// Records that a restarted service is ready, or that an output lost with an earlier process has
  /// been produced again. Returns once the event has been recorded.
  func outputRestored(_ output: AnyOutput?, of pebble: Int, at time: UInt64) async

  /// Records the end of a service that had become ready and was allowed to end.
  func serviceEnded(_ pebble: Int, at time: UInt64)

  /// Records what the pond's failure policy decided about a failure.
  func policyDecided(_ pebble: Int, _ decision: FailureDecision)

  /// Records that a ready pebble is skipped because of `holder`: a pebble that might never release
  /// a resource that the skipped pebble needs, or a service that stays down.
  func pebbleSkipped(_ pebble: Int, heldBy holder: Int, at time: UInt64)

  /// Records that the run is being stopped only because its process is ending. The next process
  /// continues the run, so the cancellation and the end of the run are not recorded. Failures
  /// caused by the cancellation do not count, and bodies that are still running do not count as
  /// crashed.
  func processWillExit()

  /// Returns whether the output of a pebble will be available to the next process.
  func keeps(_ pebble: Int) -> Bool

  /// Records that the run is cancelled.
  func runCancelled(_ reason: RunCancellation, at time: UInt64)

  /// Records that the teardown of an ended run is about to begin.
  func shutdownBegan(_ reason: RunCancellation, at time: UInt64)

  /// Records a call to the teardown of a pebble, and the error that the teardown threw, if any. The
  /// error is `PebbleTimeout` if the shutdown no longer waits for the teardown, or for the body.
  /// Returns once the call has been recorded.
  func tornDown(_ pebble: Int, _ error: (any Error)?, at time: UInt64) async

  /// Records an error that was thrown while tearing down a result that the pebble does not keep.
  /// Has no effect after `runEnded(at:)`. An abandoned body may deliver its output at any later
  /// time, and the next start must be able to begin a new run without waiting for that output.
  func lateTeardownFailed(_ pebble: Int, _ error: any Error, at time: UInt64)

  /// Records that the run is over, and that there is nothing left to tear down.
  func runEnded(at time: UInt64)
}

/// The requested pebbles, disabled pebbles and given values at the beginning of a run.
package struct RunBeginning: Sendable {
  /// The requested pebbles; `nil` if the run was started for all pebbles.
  package let targets: Set<Int>?

  /// The pebbles that are disabled.
  package let disabled: [Int]

  /// The outputs that are given to the run, each with the cases that hold, keyed by pebble.
  package let given: [Int: (output: AnyOutput, cases: CaseSet)]
}

/// The identifier, journal and progress of a run that can be continued in another process.
package struct RunRecording: Sendable {
  package let journal: any RunJournal

  /// The identifier of the run. It is the same in all processes that work on the run.
  package let run: RunIdentifier

  /// The progress of the run; `nil` for a run that has not begun.
  package let progress: RunProgress?

  package init(_ journal: any RunJournal, of run: RunIdentifier, _ progress: RunProgress?) {
    self.journal = journal
    self.run = run
    self.progress = progress
  }
}
