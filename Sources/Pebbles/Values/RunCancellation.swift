/// Why a run was cancelled.
///
/// More reasons may come with later versions, so a `switch` over one has a `default`.
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

  /// By ``Run/cancel()``, or because the task that called
  /// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)`` was cancelled.
  public static let requested = RunCancellation(kind: .requested)

  /// The named pebble failed, and the ``FailurePolicy`` of the pond cancels for that.
  public static func failure(of pebble: String) -> RunCancellation {
    RunCancellation(kind: .failure(of: pebble))
  }

  /// The deadline of the run passed.
  public static let deadlinePassed = RunCancellation(kind: .deadlinePassed)

  /// The run was shut down before its end.
  public static let shutdown = RunCancellation(kind: .shutdown)

  /// The named service ended after it had been ready, and that shuts the run down.
  public static func serviceEnded(_ service: String) -> RunCancellation {
    RunCancellation(kind: .serviceEnded(service))
  }

  /// The process got a signal; see
  /// ``Pond/run(untilSignal:given:only:clock:within:shutdownWithin:)``.
  public static func signal(_ signal: Signal) -> RunCancellation {
    RunCancellation(kind: .signal(signal))
  }

  /// The system took back the time it had granted in the background.
  public static let backgroundTimeExpired = RunCancellation(kind: .backgroundTimeExpired)

  /// The journal of the run can no longer be written, for this reason, a clause about it: see
  /// `Journal` in `PebblesDurable`.
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

  /// Why the journal of the run can no longer be written; `nil` for other reasons.
  public var journalProblem: String? {
    if case .journalBroken(let problem) = kind { problem } else { nil }
  }
}

extension RunCancellation {
  /// Whether that is about the process, and not about the run: one that is kept beyond its process
  /// goes on in the next.
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
