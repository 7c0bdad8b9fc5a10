import Logging
import Pebbles

extension Run {
  /// Logs what happens in the run until it has been shut down, or its boot has ended if it has no
  /// services.
  ///
  /// ```swift
  /// let run = try pond.start(untilSignal: [.terminate], eventHistory: 1_000)
  /// async let logged: Void = run.log(to: logger)
  /// ```
  ///
  /// A failed attempt is a warning, a failed pebble or service an error, unless it failed with
  /// `CancellationError` or after the shutdown began; what each pebble is at is info, single
  /// attempts are debug. Every record has the metadata `pond` and `time`, since the start of the
  /// run, and `pebble`, where it is about one.
  ///
  /// - Parameters:
  ///   - logger: Where to.
  ///   - capacity: How many events wait at most; if logging falls behind, the oldest are dropped,
  ///     which is logged.
  public func log(to logger: Logger, bufferingNewest capacity: Int = 4_096) async {
    var isStopping = false
    for await event in events(bufferingNewest: capacity) {
      if event.kind == .shutdownBegan { isStopping = true }
      var metadata: Logger.Metadata = ["time": "\(event.time.brief)"]
      if let pebble = event.pebble { metadata["pebble"] = "\(pebble)" }
      logger.log(level: event.logLevel(isStopping: isStopping), "\(event)", metadata: metadata)
    }
  }
}

extension RunEvent {
  fileprivate func logLevel(isStopping: Bool) -> Logger.Level {
    // What a run cancels is not what is wrong with it.
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
    default: .info
    }
  }
}
