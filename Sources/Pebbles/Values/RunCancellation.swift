/// The reason that a run was cancelled.
///
/// Later versions may add reasons, so a `switch` over a reason needs a `default`.
public struct RunCancellation: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case requested
    case failure(of: String)
    case deadlinePassed
    case shutdown
    case serviceEnded(String)
    case signal(Signal)
    case backgroundTimeExpired
    case journalBroken(String)
  }

  package let kind: Kind

  /// The reason for a cancellation by ``Run/cancel()``, or by cancelling the task that called
  /// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)``.
  public static let requested = RunCancellation(kind: .requested)

  /// Returns the reason for a cancellation by the ``FailurePolicy`` of the pond, because the named
  /// pebble failed.
  public static func failure(of pebble: String) -> RunCancellation {
    RunCancellation(kind: .failure(of: pebble))
  }

  /// The reason for a cancellation because the deadline of the run passed.
  public static let deadlinePassed = RunCancellation(kind: .deadlinePassed)

  /// The reason for a cancellation because the run was shut down before its end.
  public static let shutdown = RunCancellation(kind: .shutdown)

  /// Returns the reason for a cancellation because the named service ended after it had been ready,
  /// which shuts the run down.
  public static func serviceEnded(_ service: String) -> RunCancellation {
    RunCancellation(kind: .serviceEnded(service))
  }

  /// Returns the reason for a cancellation because the process got a signal; see
  /// ``Pond/run(untilSignal:given:only:clock:within:shutdownWithin:)``.
  public static func signal(_ signal: Signal) -> RunCancellation {
    RunCancellation(kind: .signal(signal))
  }

  /// The reason for a cancellation because the time granted by the system in the background was
  /// over.
  public static let backgroundTimeExpired = RunCancellation(kind: .backgroundTimeExpired)

  /// Returns the reason for a cancellation because the journal of the run can no longer be written;
  /// see `Journal` in `PebblesDurable`.
  ///
  /// - Parameter problem: The problem, as a clause that follows "its journal".
  /// - Returns: The reason.
  public static func journalBroken(_ problem: String) -> RunCancellation {
    RunCancellation(kind: .journalBroken(problem))
  }
}

extension RunCancellation {
  /// The pebble whose failure cancelled the run; `nil` for other reasons.
  public var failedPebble: String? {
    if case .failure(let pebble) = kind { pebble } else { nil }
  }

  /// The service whose end shut the run down; `nil` for other reasons.
  public var endedService: String? {
    if case .serviceEnded(let service) = kind { service } else { nil }
  }

  /// The signal that the process got; `nil` for other reasons.
  public var signal: Signal? {
    if case .signal(let signal) = kind { signal } else { nil }
  }

  /// The problem that keeps the journal of the run from being written; `nil` for other reasons.
  public var journalProblem: String? {
    if case .journalBroken(let problem) = kind { problem } else { nil }
  }
}

extension RunCancellation {
  /// Whether the reason concerns the process and not the run, so that a recorded run continues in
  /// the next process.
  package var isAboutProcess: Bool {
    switch kind {
    case .signal, .backgroundTimeExpired, .journalBroken: true
    case .requested, .failure, .deadlinePassed, .shutdown, .serviceEnded: false
    }
  }
}

extension RunCancellation: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String {
    switch kind {
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
