import Logging
import Pebbles

extension Run {
  /// Logs the run's events until the end of its shutdown. If the run is not shut down, logs them
  /// until the boot and all services have ended.
  ///
  /// ```swift
  /// let run = try pond.start(untilSignal: [.terminate], eventHistory: 1_000)
  /// async let logged: Void = run.log(to: logger)
  /// ```
  ///
  /// A failed attempt is logged as a warning, and a failed pebble as an error, unless the error is
  /// a `CancellationError` or the shutdown has begun. The end of a service is logged as an error,
  /// except during the shutdown if the service ends without an error or with a `CancellationError`.
  /// In all other cases, these events are logged at the level `info`. The start of an attempt is
  /// logged at the level `debug`.
  ///
  /// Every record has the metadata `run`, the identifier of the run, and `time`, the time since the
  /// start of the run. If an event belongs to a pebble, the record also has the metadata `pebble`.
  ///
  /// - Parameters:
  ///   - logger: The logger.
  ///   - capacity: The maximum number of events that wait to be logged. If logging falls behind,
  ///     the oldest events are dropped, and the number of dropped events is logged.
  public func log(to logger: Logger, bufferingNewest capacity: Int = 4_096) async {
    var isStopping = false
    for await event in events(bufferingNewest: capacity) {
      if event.kind == .shutdownBegan { isStopping = true }
      var metadata: Logger.Metadata = ["run": "\(identifier)", "time": "\(event.time.brief)"]
      if let pebble = event.pebble { metadata["pebble"] = "\(pebble)" }
      logger.log(level: event.logLevel(isStopping: isStopping), "\(event)", metadata: metadata)
    }
  }
}

extension RunEvent {
  fileprivate func logLevel(isStopping: Bool) -> Logger.Level {
    // Cancellations by the run itself are expected.
    let isExpected = error is CancellationError || isStopping
    return switch kind {
    case .ready, .stopRequested, .teardownStarted: .trace
    case .attemptStarted: .debug
    case .attemptFailed: isExpected ? .info : .warning
    case .settled: outcome?.error == nil || isExpected ? .info : .error
    case .serviceEnded: isStopping && (error == nil || error is CancellationError) ? .info : .error
    case .serviceRestarted, .stalled, .dropped: .warning
    case .teardownEnded: error == nil ? .debug : .error
    case .runEnded, .shutdownBegan, .shutdownEnded: .notice
    @unknown default: .info
    }
  }
}
