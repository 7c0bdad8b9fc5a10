/// The progress that a run made in earlier processes, read from the journal of the run.
package struct RunProgress: Sendable {
  /// The recorded steps on which later steps depend, in order.
  package var steps: [Step] = []

  /// The pebbles that were disabled when the run first began.
  package var disabled: [Int] = []

  /// The cases that hold for the outputs given to the run, keyed by pebble.
  package var givenCases: [Int: CaseSet] = [:]

  /// The services that became ready and later ended as permitted.
  package var endedServices: Set<Int> = []

  /// The recorded decisions of the pond's failure policy, keyed by failed pebble.
  package var decisions: [Int: FailureDecision] = [:]

  /// The number of earlier processes that worked on the run.
  package var processCount = 0

  /// The time that the run has taken, in nanoseconds, including periods in which no process was
  /// working on it.
  package var elapsed: UInt64 = 0

  /// The reason why the run was cancelled, and the time of the cancellation, in nanoseconds since
  /// the start of the run; `nil` if the run was not cancelled.
  package var cancellation: (reason: RunCancellation, time: UInt64)?

  /// Whether the run had ended without being cancelled. Its services may still have been up.
  package var hasEnded = false

  /// The reason why the run was being torn down; `nil` if its teardown had not begun.
  package var shutdown: RunCancellation?

  /// The states of the pebbles that have not ended, keyed by pebble.
  package var unfinished: [Int: Unfinished] = [:]

  /// The pebbles whose teardowns have been called, in a run that was cancelled or torn down.
  package var tornDown: Set<Int> = []

  /// The errors thrown while tearing down results that the pebbles do not keep, keyed by pebble.
  package var lateTeardownErrors: [Int: [String]] = [:]

  package init() {}

  /// A recorded step on which later steps depend.
  package enum Step: Sendable {
    /// The end of a pebble's body.
    case ended(End)
    /// The skip of a ready pebble because of the pebble `heldBy`, which is either a service that
    /// stays down, or a pebble that might never release a resource that the skipped pebble needs.
    case skipped(Int, heldBy: Int, at: UInt64)
  }

  /// The end of a pebble's body. Times are in nanoseconds since the start of the run.
  package struct End: Sendable {
    package let pebble: Int
    package let succeeded: Bool
    package let cases: CaseSet

    /// The output of the body, or an `ErrorBox` with the error that it threw; `nil` if the body
    /// returned without an output.
    package let payload: AnyOutput?
    package let started: UInt64
    package let finished: UInt64

    /// The recorded attempts; empty if the pebble has no retry policy and its body was called only
    /// once.
    package let attempts: [PebbleAttempt]

    /// Whether the body failed after its run had been cancelled.
    package let wasCancelled: Bool

    package init(
      _ pebble: Int, succeeded: Bool, _ cases: CaseSet, _ payload: AnyOutput?,
      started: UInt64, finished: UInt64, attempts: [PebbleAttempt] = [], wasCancelled: Bool
    ) {
      self.pebble = pebble
      self.succeeded = succeeded
      self.cases = cases
      self.payload = payload
      self.started = started
      self.finished = finished
      self.attempts = attempts
      self.wasCancelled = wasCancelled
    }

    /// The error that the body threw; `nil` if it returned.
    package var error: (any Error)? { (payload as? ErrorBox)?.error }
  }

  /// The state of a pebble whose body has not ended, or of a service that is not ready.
  package struct Unfinished: Sendable {
    /// The attempts that have failed.
    package var attempts: [PebbleAttempt] = []

    /// The time at which the next attempt is due, in nanoseconds since the start of the run.
    package var nextAttempt: UInt64 = 0

    /// The number of processes that have died while running the body, counted since the last failed
    /// attempt.
    package var crashes = 0

    package init() {}
  }

  /// The maximum number of processes that may die while running a body. After that, the body is not
  /// called again.
  package static let mostCrashes = 5
}
