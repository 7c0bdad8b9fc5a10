import Pebbles

/// The shutdown of a run, as data.
public struct RecordedShutdown: Sendable, Hashable {
  /// The reason for an unrequested shutdown, as a clause: `the process got SIGTERM`; `nil` if the
  /// shutdown was requested, or if the reason is not known.
  public let reason: String?

  /// The time at which the shutdown began, as an offset from the start of the run; `nil` if it is
  /// not known.
  public let started: Duration?

  /// The duration of the shutdown.
  public let duration: Duration

  /// The teardowns that were due, in the order in which they started, followed by the bodies that
  /// had not ended by the deadline. A pebble may be torn down more than once: when the run is
  /// resumed, and again at the end.
  public let teardowns: [RecordedTeardown]

  /// The shutdowns of the nested runs. An error in such a shutdown is also a teardown error of the
  /// pebble that started the nested run.
  public let nested: [NestedShutdown]

  /// Creates a record of a shutdown. The record is checked when it becomes part of a
  /// ``RecordedRun``.
  ///
  /// - Parameters:
  ///   - reason: The reason for the shutdown, as a clause; `nil` if the shutdown was requested, or
  ///     if the reason is not known.
  ///   - started: The time at which the shutdown began, as an offset from the start of the run;
  ///     `nil` if it is not known.
  ///   - duration: The duration of the shutdown.
  ///   - teardowns: The teardowns that were due, in the order in which they started.
  ///   - nested: The shutdowns of the runs that bodies started.
  public init(
    reason: String? = nil, started: Duration? = nil, duration: Duration,
    teardowns: [RecordedTeardown] = [], nested: [NestedShutdown] = []
  ) {
    self.reason = reason
    self.started = started
    self.duration = duration
    self.teardowns = teardowns
    self.nested = nested
  }

  /// The teardowns that failed, and the teardowns and bodies that had not ended by the deadline.
  ///
  /// - Complexity: O(teardowns).
  public var failures: [RecordedTeardown] { teardowns.filter { $0.error != nil } }
}

/// The teardown of one pebble, as data. Times are offsets from the start of the shutdown.
public struct RecordedTeardown: Sendable, Hashable {
  /// The zero-based position of the pebble in definition order.
  public let pebble: Int

  /// The time at which the teardown began; `nil` if it never began, or if the time is not known.
  public let started: Duration?

  /// The time at which the teardown ended, or was abandoned.
  public let finished: Duration

  /// The error message; `nil` if the teardown succeeded.
  public let error: String?

  /// Creates a record of a teardown.
  ///
  /// - Parameters:
  ///   - pebble: The position of the pebble in definition order.
  ///   - started: The time at which the teardown began; `nil` if it never began, or if the time is
  ///     not known.
  ///   - finished: The time at which the teardown ended, or was abandoned.
  ///   - error: The error message; `nil` if the teardown succeeded.
  public init(pebble: Int, started: Duration?, finished: Duration, error: String? = nil) {
    self.pebble = pebble
    self.started = started
    self.finished = finished
    self.error = error
  }
}
