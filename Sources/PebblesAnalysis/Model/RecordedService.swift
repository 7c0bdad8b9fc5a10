import Pebbles

/// What came of a service after it had been ready, as data.
public struct RecordedService: Sendable, Hashable {
  /// How it ended, the last time that it did; `nil` if it had not when this was recorded.
  public let end: RecordedServiceEnd?

  /// Whether it has ended for good without having been asked to: a failure of the run.
  public let isDown: Bool

  /// The calls of its body after it had been ready and had ended, the newest.
  public let restarts: [RecordedServiceRestart]

  /// How often its body was called again, those included that are not in ``restarts``.
  public let restartCount: Int

  /// Makes a record of a service. What is wrong with it, if anything, ``RecordedRun`` says.
  ///
  /// - Parameters:
  ///   - end: How it ended, the last time that it did.
  ///   - isDown: Whether it has ended for good without having been asked to.
  ///   - restarts: The calls of its body after it had been ready and had ended, the newest.
  ///   - restartCount: How often its body was called again; as many as there are `restarts`, if not
  ///     given.
  public init(
    end: RecordedServiceEnd? = nil, isDown: Bool = false, restarts: [RecordedServiceRestart] = [],
    restartCount: Int? = nil
  ) {
    self.end = end
    self.isDown = isDown
    self.restarts = restarts
    self.restartCount = restartCount ?? restarts.count
  }
}

/// How a service ended after it had been ready, as data.
public struct RecordedServiceEnd: Sendable, Hashable {
  /// When, as an offset from the start of the run; perhaps after the end of that.
  public let time: Duration

  /// What its error said; `nil` if its body returned.
  public let error: String?

  /// Whether the run had asked it to stop.
  public let wasAsked: Bool

  /// Makes a record of the end of a service.
  ///
  /// - Parameters:
  ///   - time: When, as an offset from the start of the run.
  ///   - error: What its error said; `nil` if its body returned.
  ///   - wasAsked: Whether the run had asked it to stop.
  public init(time: Duration, error: String? = nil, wasAsked: Bool) {
    self.time = time
    self.error = error
    self.wasAsked = wasAsked
  }
}

/// A call of the body of a service that had been ready and had ended, as data.
public struct RecordedServiceRestart: Sendable, Hashable {
  /// When the body was called again, as an offset from the start of the run.
  public let time: Duration

  /// Which call of the body this is, counted on from those that it took to be ready at first.
  public let attempt: Int

  /// What the error of the call before said; `nil` if that returned.
  public let error: String?

  /// Makes a record of a restart.
  ///
  /// - Parameters:
  ///   - time: When the body was called again, as an offset from the start of the run.
  ///   - attempt: Which call of the body this is.
  ///   - error: What the error of the call before said; `nil` if that returned.
  public init(time: Duration, attempt: Int, error: String? = nil) {
    self.time = time
    self.attempt = attempt
    self.error = error
  }
}
