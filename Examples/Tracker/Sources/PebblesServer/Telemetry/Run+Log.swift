import Logging
import Pebbles

extension Run {
  /// Logs the events of the run until its shutdown, or until the end of the boot if it has no
  /// services.
  ///
  /// ```swift
  /// let run = try pond.start(untilSignal: [.terminate], eventHistory: 1_000)
  /// async let logged: Void = run.log(to: logger)
  /// ```
  ///
  /// A failed attempt is a warning. A failed pebble or service is an error, unless it failed with
  /// `CancellationError` or after the shutdown began. The progress of pebbles is info, single
  /// attempts are debug. Every record has the metadata `run`, the identifier of the run, `time`
  /// since its start, and `pebble` if it is about a pebble.
  ///
  /// - Parameters:
  ///   - logger: The logger.
  ///   - capacity: The maximum number of waiting events. If logging falls behind, the oldest are
  ///     dropped, and their number is logged.
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
