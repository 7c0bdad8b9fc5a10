/// How far a run had come in earlier processes, which have died: what its journal tells.
package struct RunProgress: Sendable {
  /// What others depend on, in the order in which it happened.
  package var steps: [Step] = []

  /// The pebbles that are disabled, as they were when the run first began.
  package var disabled: [Int] = []

  /// Which cases hold of what the run was given.
  package var givenCases: [Int: CaseSet] = [:]

  /// The services that had ended as they may.
  package var endedServices: Set<Int> = []

  /// What the failure policy of the pond has said of pebbles that had failed.
  package var decisions: [Int: FailureDecision] = [:]

  /// How many processes have worked on the run before this one.
  package var processCount = 0

  /// How long the run has taken, with the time in which no process ran, in nanoseconds.
  package var elapsed: UInt64 = 0

  /// Why and when the run was cancelled, if it was.
  package var cancellation: (reason: RunCancellation, time: UInt64)?

  /// Why the run was being torn down, if it was.
  package var shutdown: RunCancellation?

  /// What is known of pebbles that have not ended.
  package var unfinished: [Int: Unfinished] = [:]

  /// The pebbles whose teardowns have been called, in a run that was cancelled or torn down.
  package var tornDown: Set<Int> = []

  package init() {}

  /// Something that others depend on.
  package enum Step: Sendable {
    /// The body of a pebble has ended.
    case ended(End)
    /// A ready pebble was skipped, as what it uses was held by another one for good.
    case skipped(Int, heldBy: Int, at: UInt64)
  }

  /// How the body of a pebble has ended. Times are in nanoseconds since the start of the run.
  package struct End: Sendable {
    package let pebble: Int
    package let succeeded: Bool
    package let cases: CaseSet

    /// What it returned or, as an `ErrorBox`, threw.
    package let payload: AnyOutput?
    package let started: UInt64
    package let finished: UInt64

    /// The calls of the body, if more than one could be.
    package let attempts: [PebbleAttempt]

    /// Whether it failed once its run had been cancelled.
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

    /// What it threw; `nil` if it returned.
    package var error: (any Error)? { (payload as? ErrorBox)?.error }
  }

  /// What is known of a pebble that has not ended, or of a service that is not up.
  package struct Unfinished: Sendable {
    /// The attempts that have failed.
    package var attempts: [PebbleAttempt] = []

    /// When the next attempt is due, in nanoseconds since the start of the run.
    package var nextAttempt: UInt64 = 0

    /// How often its body was called, each time in a process that died before it ended.
    package var crashes = 0

    package init() {}
  }

  /// How often a body is called that each time dies with its process.
  package static let mostCrashes = 5
}
