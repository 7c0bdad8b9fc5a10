/// What keeps a run beyond its process. It is told what happens before anything follows from that.
///
/// Called from any thread, outside of all locks. Times are in nanoseconds since the start of the
/// run, and pebbles are positions in definition order.
package protocol RunJournal: AnyObject, Sendable {
  /// Says what is to be called, once at most, when nothing can be kept any more.
  func whenBroken(_ told: @escaping @Sendable (_ problem: String) -> Void)

  /// The run begins, or goes on in this process. Returns once that is kept.
  func runBegan(_ beginning: RunBeginning) async

  /// A body is about to be called.
  func bodyCalled(_ pebble: Int, attempt: Int, at time: UInt64)

  /// A body has failed, and is to be called again.
  func attemptFailed(_ pebble: Int, _ attempt: PebbleAttempt, next: UInt64)

  /// A body has ended for good, or a service is ready. Returns once that is kept.
  func bodyEnded(_ end: RunProgress.End) async

  /// A service is ready that was called again, or an output is there that had died with a process.
  func outputIsThere(_ output: AnyOutput?, of pebble: Int, at time: UInt64) async

  /// A service that was ready has ended, as it may.
  func serviceEnded(_ pebble: Int, at time: UInt64)

  /// The failure policy of the pond has said what a failure means.
  func policyDecided(_ pebble: Int, _ decision: FailureDecision)

  /// A ready pebble is skipped, as what it uses is held by another one for good.
  func pebbleSkipped(_ pebble: Int, heldBy holder: Int, at time: UInt64)

  /// The run is stopped for the sake of the process: it is to go on in the next, so neither that it
  /// is cancelled is kept, nor what fails for that, nor its end.
  func processLeaves()

  /// Whether the next process finds what the body of a pebble has returned.
  func keeps(_ pebble: Int) -> Bool

  /// The run is cancelled.
  func runCancelled(_ reason: RunCancellation, at time: UInt64)

  /// The run, which is over, is about to be torn down.
  func shutdownBegan(_ reason: RunCancellation, at time: UInt64)

  /// The teardown of a pebble has been called. Returns once that is kept.
  func tornDown(_ pebble: Int, _ error: (any Error)?, at time: UInt64) async

  /// Nothing of the run is left.
  func runEnded(at time: UInt64)
}

/// What a run begins with.
package struct RunBeginning: Sendable {
  /// The pebbles that the run was asked for; `nil` for all.
  package let targets: Set<Int>?

  /// The pebbles that are disabled.
  package let disabled: [Int]

  /// What the run was given, and which cases hold of it, by pebble.
  package let given: [Int: (output: AnyOutput, cases: CaseSet)]
}

/// A run that is kept beyond its process.
package struct RunRecording: Sendable {
  package let journal: any RunJournal

  /// That of the run in all its processes.
  package let run: RunIdentifier

  /// How far it has come; `nil` for one that is to begin.
  package let progress: RunProgress?

  package init(_ journal: any RunJournal, of run: RunIdentifier, _ progress: RunProgress?) {
    self.journal = journal
    self.run = run
    self.progress = progress
  }
}
