import Pebbles

/// What came of tearing a run down, as data.
public struct RecordedShutdown: Sendable, Hashable {
  /// How long it took.
  public let duration: Duration

  /// What was to be torn down, in the order in which that started.
  public let teardowns: [RecordedTeardown]

  /// What came of shutting down the runs inside of pebbles. What was wrong with them is an error of
  /// the teardown of the pebble, too.
  public let nested: [NestedShutdown]

  /// Makes a record of a shutdown. What is wrong with it, if anything, ``RecordedRun`` says.
  ///
  /// - Parameters:
  ///   - duration: How long it took.
  ///   - teardowns: What was to be torn down, each pebble at most once.
  ///   - nested: The shutdowns of the runs inside of pebbles.
  public init(
    duration: Duration, teardowns: [RecordedTeardown] = [], nested: [NestedShutdown] = []
  ) {
    self.duration = duration
    self.teardowns = teardowns
    self.nested = nested
  }

  /// Those that failed, or had not ended by the deadline.
  ///
  /// - Complexity: O(teardowns).
  public var failures: [RecordedTeardown] { teardowns.filter { $0.error != nil } }
}

/// How one pebble was torn down, as data. Times are offsets from the start of the shutdown.
public struct RecordedTeardown: Sendable, Hashable {
  /// Where the pebble stands in definition order, from 0.
  public let pebble: Int

  /// When it began; `nil` if it never did.
  public let started: Duration?

  /// When it ended, or was given up.
  public let finished: Duration

  /// What its error said; `nil` if all went well.
  public let error: String?

  /// Makes a record of a teardown.
  ///
  /// - Parameters:
  ///   - pebble: Where the pebble stands in definition order.
  ///   - started: When it began; `nil` if it never did.
  ///   - finished: When it ended, or was given up.
  ///   - error: What its error said; `nil` if all went well.
  public init(pebble: Int, started: Duration?, finished: Duration, error: String? = nil) {
    self.pebble = pebble
    self.started = started
    self.finished = finished
    self.error = error
  }
}
