import Pebbles

/// The end and the restarts of a service after it had become ready, as data.
///
/// If the service was kept, all times are offsets from the start of the run that called its body;
/// see ``RecordedPebble/keptFrom``.
public struct RecordedService: Sendable, Hashable {
  /// The most recent end of the service; `nil` if the service had not ended when the record was
  /// created.
  public let end: RecordedServiceEnd?

  /// Whether the service ended permanently without being asked to stop. Such an end counts as a
  /// failure of the run.
  public let isDown: Bool

  /// The latest restarts, in order. A restart is a call of the body after the service had become
  /// ready and then ended.
  public let restarts: [RecordedServiceRestart]

  /// The total number of restarts, including those that are not in ``restarts``.
  public let restartCount: Int

  /// Creates a record of a service. The record is checked when it becomes part of a
  /// ``RecordedRun``.
  ///
  /// - Parameters:
  ///   - end: The most recent end of the service.
  ///   - isDown: Whether the service ended permanently without being asked to stop.
  ///   - restarts: The latest restarts, in order.
  ///   - restartCount: The total number of restarts; `nil` to use the number of elements in
  ///     `restarts`.
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

/// An end of a service that had become ready, as data.
public struct RecordedServiceEnd: Sendable, Hashable {
  /// The time of the end, as an offset from the start of the run. It may be after the end of the
  /// run.
  public let time: Duration

  /// The error message; `nil` if the body returned.
  public let error: String?

  /// Whether the run had asked the service to stop.
  public let wasAsked: Bool

  /// Creates a record of the end of a service.
  ///
  /// - Parameters:
  ///   - time: The time of the end, as an offset from the start of the run.
  ///   - error: The error message; `nil` if the body returned.
  ///   - wasAsked: Whether the run had asked the service to stop.
  public init(time: Duration, error: String? = nil, wasAsked: Bool) {
    self.time = time
    self.error = error
    self.wasAsked = wasAsked
  }
}

/// A restart of a service, as data: a call of its body after the service had become ready and then
/// ended.
public struct RecordedServiceRestart: Sendable, Hashable {
  /// The time at which the body was called again, as an offset from the start of the run.
  public let time: Duration

  /// The one-based number of this call among all calls of the body. Calls before the service was
  /// first ready are also counted. In a run that was continued from a journal, restarts in earlier
  /// processes are not counted.
  public let attempt: Int

  /// The error message of the previous call; `nil` if that call returned.
  public let error: String?

  /// Creates a record of a restart.
  ///
  /// - Parameters:
  ///   - time: The time at which the body was called again, as an offset from the start of the run.
  ///   - attempt: The one-based number of this call among all calls of the body.
  ///   - error: The error message of the previous call; `nil` if that call returned.
  public init(time: Duration, attempt: Int, error: String? = nil) {
    self.time = time
    self.attempt = attempt
    self.error = error
  }
}
