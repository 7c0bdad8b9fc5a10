import Pebbles

/// A record of the shutdown of a nested run, which is a run started by a pebble's body. Pebbles are
/// identified by name, because the pond of the nested run may be unknown.
public struct NestedShutdown: Sendable, Hashable {
  /// The name of the pebble whose body started the nested run.
  public let pebble: String

  /// The name of the pond that ran.
  public let pondName: String

  /// The duration of the shutdown.
  public let duration: Duration

  /// The teardowns that were due, in the order in which they started, followed by the bodies that
  /// had not ended by the deadline.
  public let teardowns: [NestedTeardown]

  /// The shutdowns of the runs nested in this run.
  public let nested: [NestedShutdown]

  /// Creates a record of the shutdown of a nested run. The record is checked when it becomes part
  /// of a ``RecordedRun``.
  ///
  /// - Parameters:
  ///   - pebble: The name of the pebble whose body started the nested run.
  ///   - pondName: The name of the pond that ran.
  ///   - duration: The duration of the shutdown.
  ///   - teardowns: The teardowns that were due.
  ///   - nested: The shutdowns of the runs nested in this run.
  public init(
    pebble: String, pondName: String, duration: Duration, teardowns: [NestedTeardown] = [],
    nested: [NestedShutdown] = []
  ) {
    self.pebble = pebble
    self.pondName = pondName
    self.duration = duration
    self.teardowns = teardowns
    self.nested = nested
  }
}

/// A record of the teardown of one pebble in a nested run. Times are offsets from the start of the
/// nested run's shutdown.
public struct NestedTeardown: Sendable, Hashable {
  /// The name of the pebble.
  public let pebble: String

  /// The time at which the teardown began; `nil` if it never began.
  public let started: Duration?

  /// The time at which the teardown ended, or was abandoned.
  public let finished: Duration

  /// The error message; `nil` if the teardown succeeded.
  public let error: String?

  /// Creates a record of a teardown.
  ///
  /// - Parameters:
  ///   - pebble: The name of the pebble.
  ///   - started: The time at which the teardown began; `nil` if it never began.
  ///   - finished: The time at which the teardown ended, or was abandoned.
  ///   - error: The error message; `nil` if the teardown succeeded.
  public init(pebble: String, started: Duration?, finished: Duration, error: String? = nil) {
    self.pebble = pebble
    self.started = started
    self.finished = finished
    self.error = error
  }
}

extension NestedShutdown {
  var inWholeNanoseconds: NestedShutdown {
    NestedShutdown(
      pebble: pebble, pondName: pondName, duration: duration.inWholeNanoseconds,
      teardowns: teardowns.map {
        NestedTeardown(
          pebble: $0.pebble, started: $0.started?.inWholeNanoseconds,
          finished: $0.finished.inWholeNanoseconds, error: $0.error)
      },
      nested: nested.map(\.inWholeNanoseconds))
  }

  /// The problem with the record, worded to follow the outer pebble's name in a sentence:
  /// `has an inner run with teardowns outside its shutdown`. It is `nil` if there is no problem.
  var problem: String? {
    if duration < .zero { return "has an inner run whose shutdown took \(duration)" }
    let isOrderly = teardowns.allSatisfy { teardown in
      let started = teardown.started ?? .zero
      return started >= .zero && started <= teardown.finished && teardown.finished <= duration
    }
    if !isOrderly { return "has an inner run with teardowns outside its shutdown" }
    return nested.lazy.compactMap(\.problem).first
  }
}
