import Logging
import Pebbles
import TemporalWire

/// The log of a call, for operators. Each entry is one line.
struct BodyLog: Sendable {
  private let logger: Logger
  private let name: String
  private let begin = ContinuousClock.now

  /// The time at which this worker received the call, in seconds since 1970, according to the
  /// server's clock.
  private let started: Double
  private let isFirst: Bool

  init(_ logger: Logger, _ task: TemporalPollActivityTaskQueueResponse) {
    var logger = logger
    logger[metadataKey: "run"] = "\(task.workflowExecution.workflowID.inLine)"
    logger[metadataKey: "pebble"] = "\(task.activityID.inLine)"
    self.logger = logger
    name = task.activityID.inLine
    started = task.startedTime.sinceEpoch / .seconds(1)
    isFirst = task.attempt <= 1
  }

  /// Logs that the call begins.
  ///
  /// - Parameter attempt: The number of the attempt, as counted by the retry policy of the pebble;
  ///   `nil` for a teardown.
  func begins(attempt: Int?) {
    guard let attempt, attempt > 1 else { return logger.info("\(name) is called") }
    logger.info("\(name) is called, for attempt \(attempt)")
  }

  func ended(_ end: BodyEnd) {
    let time = (ContinuousClock.now - begin).brief
    switch end {
    case .succeeded: logger.info("\(name) succeeded in \(time)")
    case .failed(let failure):
      logger.warning("\(name) failed after \(time): \(failure.message.inLine)")
    case .again(let failure, let delay, _):
      let error = failure.message.inLine
      logger.notice("\(name) failed after \(time), and is called again in \(delay.brief): \(error)")
    case .cancelled: logger.info("\(name) was cancelled after \(time)")
    case .stopped:
      logger.notice("\(name) was stopped with this worker, and is called again by another")
    case .misfit(let reason, let progress):
      // Logged once: the call comes back every few seconds until another worker takes it.
      let isNews = progress.map { $0.misfitSince == started } ?? isFirst
      logger.log(
        level: isNews ? .notice : .debug, "\(name) waits for another worker: \(reason.inLine)")
    }
  }

  func endNotAwaited() {
    logger.notice("the end of \(name) is no longer awaited")
  }

  func endNotReported(_ error: any Error) {
    logger.warning("the end of \(name) could not be reported: \(error.sentence.inLine)")
  }
}
