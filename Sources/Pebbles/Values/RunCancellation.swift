/// Why a run was cancelled.
public enum RunCancellation: Sendable, Hashable {
  /// By ``Run/cancel()``, or because the task that called
  /// ``Pond/run(clock:deadline:learningFrom:holding:)`` was cancelled.
  case requested

  /// The named pebble failed, and the ``FailurePolicy`` of the pond cancels for that.
  case failure(of: String)

  /// The deadline of the run passed.
  case deadlinePassed

  /// The run was shut down before its end.
  case shutdown

  /// The named service ended after it had been ready, and that shuts the run down.
  case serviceEnded(String)

  /// The process got a signal; see ``Pond/run(untilSignal:clock:deadline:shutdownDeadline:)``.
  case signal(Signal)

  /// The system took back the time it had granted in the background.
  case backgroundTimeExpired
}

extension RunCancellation: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String {
    switch self {
    case .requested: "it was cancelled"
    case .failure(let pebble): "\(pebble.swiftName) failed"
    case .deadlinePassed: "its deadline passed"
    case .shutdown: "it was shut down"
    case .serviceEnded(let pebble): "the service \(pebble.swiftName) ended"
    case .signal(let signal): "the process got \(signal)"
    case .backgroundTimeExpired: "its time in the background expired"
    }
  }
}

/// How a run ended.
struct RunEnd: Sendable, Equatable {
  /// Nanoseconds since the start of the run.
  let time: UInt64

  /// Why the run was cancelled, if it was.
  let cancellation: RunCancellation?
}
