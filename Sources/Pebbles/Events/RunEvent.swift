/// Something that happened in a run, as `run.events` tells it.
///
/// ```swift
/// for await event in run.events where event.kind == .attemptFailed {
///   print("\(event.pebble ?? ""): \(event.error.map { "\($0)" } ?? "")")
/// }
/// ```
///
/// What an event has to tell depends on its ``kind``; what it has not is `nil`, empty or `false`.
/// Pebbles are given by their names.
public struct RunEvent: Sendable {
  package enum Happening: Sendable {
    case ready(String)
    case attemptStarted(String, attempt: Int)
    case attemptFailed(String, attempt: Int, any Error)
    case settled(String, Outcome, cases: [PebbleCase] = [], cause: String?)
    case serviceEnded(String, (any Error)?)
    case stalled([String])
    case runEnded(isCancelled: Bool)
    case serviceRestarted(String, attempt: Int, (any Error)?)
    case shutdownBegan(RunCancellation?)
    case stopRequested(String)
    case teardownStarted(String)
    case teardownEnded(String, (any Error)?)
    case shutdownEnded
    case dropped(Int)
  }

  /// When it happened, since the start of the run.
  ///
  /// Events that happen at the same time on different threads may be told in an order other than
  /// that of their times. Those of one pebble are in order, and that a body has ended is told
  /// before anything that follows from it.
  public let time: Duration

  package let happening: Happening

  package init(time: Duration, _ happening: Happening) {
    self.time = time
    self.happening = happening
  }
}

extension RunEvent {
  /// What can happen in a run. More may come with later versions.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// A word for it.
    public let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// The condition of the ``RunEvent/pebble`` became true: it will start as soon as it can.
    public static let ready = Kind("ready")

    /// The body of the ``RunEvent/pebble`` was called, the first time with ``RunEvent/attempt`` 1.
    public static let attemptStarted = Kind("attemptStarted")

    /// The body of the ``RunEvent/pebble`` failed with the ``RunEvent/error``. Another attempt may
    /// follow; if not, the pebble settles.
    public static let attemptFailed = Kind("attemptFailed")

    /// The ``RunEvent/pebble`` has its ``RunEvent/outcome``, because of its ``RunEvent/cause``.
    public static let settled = Kind("settled")

    /// A service, the ``RunEvent/pebble``, that had been up is no longer, because it failed with
    /// the ``RunEvent/error`` or, if that is `nil`, because it returned.
    public static let serviceEnded = Kind("serviceEnded")

    /// Nothing ran, nothing was ready, and the ``RunEvent/pebbles`` were waiting for each other.
    public static let stalled = Kind("stalled")

    /// Every pebble has settled; what follows is about services and the shutdown. In a run that is
    /// cancelled, the shutdown comes before its report.
    public static let runEnded = Kind("runEnded")

    /// A service, the ``RunEvent/pebble``, that had been up has ended, with the ``RunEvent/error``
    /// or, if that is `nil`, because it returned, and is started again: its body is called for the
    /// ``RunEvent/attempt``-th time.
    public static let serviceRestarted = Kind("serviceRestarted")

    /// What has come up is torn down from now on, for the ``RunEvent/reason``.
    public static let shutdownBegan = Kind("shutdownBegan")

    /// A service, the ``RunEvent/pebble``, is asked to stop.
    public static let stopRequested = Kind("stopRequested")

    /// The teardown of the ``RunEvent/pebble`` is called.
    public static let teardownStarted = Kind("teardownStarted")

    /// The teardown of the ``RunEvent/pebble`` has ended, or was given up: with the
    /// ``RunEvent/error``, or well if that is `nil`.
    public static let teardownEnded = Kind("teardownEnded")

    /// What had come up has been torn down: the last event of a run that is shut down.
    public static let shutdownEnded = Kind("shutdownEnded")

    /// Not something that happened but something not told: so many events stood here and were
    /// dropped, because this observer had not taken them in time; see ``RunEvent/droppedCount``.
    /// The event's time is that of the last one dropped.
    public static let dropped = Kind("dropped")

    /// The word for it.
    public var description: String { name }
  }

  /// What happened.
  public var kind: Kind {
    switch happening {
    case .ready: .ready
    case .attemptStarted: .attemptStarted
    case .attemptFailed: .attemptFailed
    case .settled: .settled
    case .serviceEnded: .serviceEnded
    case .stalled: .stalled
    case .runEnded: .runEnded
    case .serviceRestarted: .serviceRestarted
    case .shutdownBegan: .shutdownBegan
    case .stopRequested: .stopRequested
    case .teardownStarted: .teardownStarted
    case .teardownEnded: .teardownEnded
    case .shutdownEnded: .shutdownEnded
    case .dropped: .dropped
    }
  }

  /// The pebble to which it happened.
  public var pebble: String? {
    switch happening {
    case .ready(let pebble), .attemptStarted(let pebble, _), .attemptFailed(let pebble, _, _),
      .settled(let pebble, _, _, _), .serviceEnded(let pebble, _),
      .serviceRestarted(let pebble, _, _), .stopRequested(let pebble),
      .teardownStarted(let pebble), .teardownEnded(let pebble, _):
      pebble
    case .stalled, .runEnded, .shutdownBegan, .shutdownEnded, .dropped: nil
    }
  }

  /// Which call of the body started or failed, or is the one by which a service is started again;
  /// from 1.
  public var attempt: Int? {
    switch happening {
    case .attemptStarted(_, let attempt), .attemptFailed(_, let attempt, _),
      .serviceRestarted(_, let attempt, _):
      attempt
    case .ready, .settled, .serviceEnded, .stalled, .runEnded, .shutdownBegan, .stopRequested,
      .teardownStarted, .teardownEnded, .shutdownEnded, .dropped:
      nil
    }
  }

  /// With what an attempt, the pebble, a service or a teardown failed.
  public var error: (any Error)? {
    switch happening {
    case .attemptFailed(_, _, let error): error
    case .settled(_, let outcome, _, _): outcome.error
    case .serviceEnded(_, let error), .serviceRestarted(_, _, let error),
      .teardownEnded(_, let error):
      error
    case .ready, .attemptStarted, .stalled, .runEnded, .shutdownBegan, .stopRequested,
      .teardownStarted, .shutdownEnded, .dropped:
      nil
    }
  }

  /// How the pebble that settled ended.
  public var outcome: Outcome? {
    if case .settled(_, let outcome, _, _) = happening { outcome } else { nil }
  }

  /// The cases of the pebble that settled that hold, in the order of their definition.
  public var cases: [PebbleCase] {
    if case .settled(_, _, let cases, _) = happening { cases } else { [] }
  }

  /// The pebble whose settling let the one that settled start, or decided that it would not; `nil`
  /// if there was no such pebble.
  public var cause: String? {
    if case .settled(_, _, _, let cause) = happening { cause } else { nil }
  }

  /// The first hundred pebbles that were waiting for each other in a stall.
  public var pebbles: [String] {
    if case .stalled(let pebbles) = happening { pebbles } else { [] }
  }

  /// Whether the run that ended had been cancelled.
  public var isCancelled: Bool {
    if case .runEnded(let isCancelled) = happening { isCancelled } else { false }
  }

  /// Why a shutdown began; `nil` if it was not for a reason that also cancels runs.
  public var reason: RunCancellation? {
    if case .shutdownBegan(let reason) = happening { reason } else { nil }
  }

  /// How many events stood here and were dropped.
  public var droppedCount: Int {
    if case .dropped(let count) = happening { count } else { 0 }
  }
}
