/// The reason why a run was cancelled.
///
/// Later versions may add reasons.
@nonexhaustive public enum RunCancellation: Sendable, Hashable {
  /// A cancellation by ``Run/cancel()``, by cancelling the task that called
  /// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)``, or by cancelling all
  /// tasks that wait for a ``Pond/refresh(clock:within:)``.
  case requested

  /// The failure of the named pebble. The ``FailurePolicy`` of the pond cancelled the run because
  /// of this failure.
  case failure(of: String)

  /// The run's deadline, which has passed.
  case deadlinePassed

  /// A shutdown of the run that began before the run had ended.
  case shutdown

  /// The end of the named service after it had become ready. The run is shut down as a result.
  case serviceEnded(_ service: String)

  /// A signal that the process received; see
  /// ``Pond/run(untilSignal:given:only:clock:within:shutdownWithin:)``.
  case signal(_ signal: Signal)

  /// The expiration of the background time that the system had granted.
  case backgroundTimeExpired

  /// A failure of the run's journal, which can no longer be written; see `Journal` in
  /// `PebblesDurable`.
  ///
  /// - Parameter problem: The problem, worded to follow "its journal" in a sentence, such as
  ///   `"could not be written"`.
  case journalBroken(_ problem: String)
}

extension RunCancellation {
  /// The name of the pebble whose failure cancelled the run; `nil` if the run was cancelled for
  /// another reason.
  public var failedPebble: String? {
    if case .failure(let pebble) = self { pebble } else { nil }
  }

  /// The problem that prevents the run's journal from being written; `nil` if the run was cancelled
  /// for another reason.
  package var journalProblem: String? {
    if case .journalBroken(let problem) = self { problem } else { nil }
  }
}

extension RunCancellation {
  /// Whether the reason concerns the process rather than the run. If so, a recorded run continues
  /// in the next process.
  package var isAboutProcess: Bool {
    switch self {
    case .signal, .backgroundTimeExpired, .journalBroken: true
    case .requested, .failure, .deadlinePassed, .shutdown, .serviceEnded: false
    }
  }
}

extension RunCancellation: CustomStringConvertible {
  /// The reason, worded as a clause about the run, such as `it was cancelled`.
  public var description: String {
    switch self {
    case .requested: "it was cancelled"
    case .failure(let pebble): "\(pebble.swiftName) failed"
    case .deadlinePassed: "its deadline passed"
    case .shutdown: "it was shut down"
    case .serviceEnded(let pebble): "the service \(pebble.swiftName) ended"
    case .signal(let signal): "the process got \(signal)"
    case .backgroundTimeExpired: "its time in the background expired"
    case .journalBroken(let problem): "its journal \(problem)"
    }
  }
}

/// The end of a run: the time and, if the run was cancelled, the reason.
struct RunEnd: Sendable, Equatable {
  /// The time of the end, in nanoseconds since the start of the run.
  let time: UInt64

  /// The reason why the run was cancelled; `nil` if it was not cancelled.
  let cancellation: RunCancellation?
}
