import Pebbles

/// What came of shutting down a run inside of another one, as data. Pebbles are named, for the pond
/// of that run need not be known.
public struct NestedShutdown: Sendable, Hashable {
  /// The name of the pebble whose body had started the run.
  public let pebble: String

  /// The name of its pond.
  public let pondName: String

  /// How long it took.
  public let duration: Duration

  /// What was to be torn down, in the order in which that started.
  public let teardowns: [NestedTeardown]

  /// The shutdowns of the runs inside of this one.
  public let nested: [NestedShutdown]

  /// Makes a record of the shutdown of a run inside of another one. What is wrong with it, if
  /// anything, ``RecordedRun`` says.
  ///
  /// - Parameters:
  ///   - pebble: The name of the pebble whose body had started the run.
  ///   - pondName: The name of its pond.
  ///   - duration: How long it took.
  ///   - teardowns: What was to be torn down.
  ///   - nested: The shutdowns of the runs inside of it.
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

/// How one pebble of a run inside of another one was torn down, as data. Times are offsets from the
/// start of the shutdown of its run.
public struct NestedTeardown: Sendable, Hashable {
  /// The name of the pebble.
  public let pebble: String

  /// When it began; `nil` if it never did.
  public let started: Duration?

  /// When it ended, or was given up.
  public let finished: Duration

  /// What its error said; `nil` if all went well.
  public let error: String?

  /// Makes a record of a teardown.
  ///
  /// - Parameters:
  ///   - pebble: The name of the pebble.
  ///   - started: When it began; `nil` if it never did.
  ///   - finished: When it ended, or was given up.
  ///   - error: What its error said; `nil` if all went well.
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

  /// What is wrong with it, as what follows the name of the pebble around.
  var problem: String? {
    if duration < .zero { return "has a run inside whose shutdown took \(duration)" }
    let isOrderly = teardowns.allSatisfy { teardown in
      let started = teardown.started ?? .zero
      return started >= .zero && started <= teardown.finished && teardown.finished <= duration
    }
    if !isOrderly { return "has a run inside with teardowns outside of its shutdown" }
    return nested.lazy.compactMap(\.problem).first
  }
}
