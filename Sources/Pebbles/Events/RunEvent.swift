/// An event of a run, as delivered by `run.events`.
///
/// ```swift
/// for await event in run.events where event.kind == .attemptFailed {
///   print("\(event.pebble ?? ""): \(event.error.map { "\($0)" } ?? "")")
/// }
/// ```
///
/// The ``kind`` of an event determines which properties it has; the others are `nil`, empty, zero
/// or `false`. Pebbles are identified by name.
public struct RunEvent: Sendable {
  package enum Happening: Sendable {
    case ready(String)
    case attemptStarted(String, attempt: Int)
    case attemptFailed(String, attempt: Int, any Error)
    case settled(String, Outcome, cases: [PebbleCase] = [], cause: String?)
    case serviceEnded(String, (any Error)?)
    case stalled([String])
    case runEnded(isCancelled: Bool, hasFailed: Bool = false)
    case serviceRestarted(String, attempt: Int, (any Error)?)
    case shutdownBegan(RunCancellation?)
    case stopRequested(String)
    case teardownStarted(String)
    case teardownEnded(String, (any Error)?)
    case shutdownEnded
    case dropped(Int)
  }

  /// The time of the event, measured from the start of the run.
  ///
  /// Events that happen at nearly the same time on different threads may be delivered out of order.
  /// Events of one pebble are in order, and the end of a body is delivered before the events that
  /// it causes.
  public let time: Duration

  package let happening: Happening

  package init(time: Duration, _ happening: Happening) {
    self.time = time
    self.happening = happening
  }
}

extension RunEvent {
  /// A kind of event. Later versions may add kinds.
  @nonexhaustive public enum Kind: String, Sendable {
    /// The condition of the ``RunEvent/pebble`` became true. The pebble will start as soon as it
    /// can.
    case ready

    /// The body of the ``RunEvent/pebble`` was called. The ``RunEvent/attempt`` is the number of
    /// the call, starting at 1.
    case attemptStarted

    /// The body of the ``RunEvent/pebble`` failed with the ``RunEvent/error``. Another attempt may
    /// follow; if not, the pebble settles.
    case attemptFailed

    /// The ``RunEvent/pebble`` settled with its ``RunEvent/outcome``, because of its
    /// ``RunEvent/cause``.
    case settled

    /// The service ``RunEvent/pebble`` ended after it had become ready. ``RunEvent/error`` is the
    /// error with which it failed, or `nil` if it returned.
    case serviceEnded

    /// Nothing ran, nothing was ready, and the ``RunEvent/pebbles`` were waiting for each other.
    case stalled

    /// Every pebble has settled. Later events concern services and the shutdown. If the run was
    /// cancelled, its report follows only after the shutdown, unless the deadline of the run passes
    /// first.
    case runEnded

    /// The service ``RunEvent/pebble`` was restarted after it had become ready and then ended.
    /// ``RunEvent/error`` is the error of the previous call to its body, or `nil` if that call
    /// returned. ``RunEvent/attempt`` is the number of the new call, starting at 1.
    case serviceRestarted

    /// The shutdown began because of the ``RunEvent/reason``. It tears down everything that the run
    /// has opened.
    case shutdownBegan

    /// The service ``RunEvent/pebble`` was asked to stop.
    case stopRequested

    /// The teardown of the ``RunEvent/pebble`` was called.
    case teardownStarted

    /// The teardown of the ``RunEvent/pebble`` ended. ``RunEvent/error`` is the error with which it
    /// failed, or `nil` if it succeeded. No event is delivered for a teardown that ends after the
    /// shutdown.
    case teardownEnded

    /// The shutdown ended. This is the last event. It is delivered only if the shutdown began
    /// before the events of the run had ended; see ``RunEvents``.
    case shutdownEnded

    /// This observer lost ``RunEvent/droppedCount`` events at this point. Either the observer did
    /// not take the events in time, or the history no longer contained them when the observer began
    /// to listen. The time of this event is the time of the last lost event.
    case dropped
  }

  /// The kind of the event.
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

  /// The name of the pebble that the event concerns.
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

  /// The number of the attempt that started or failed, starting at 1. For the restart of a service,
  /// this is the number of the new call.
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

  /// The error with which an attempt, a pebble, a service or a teardown failed.
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

  /// The outcome of the pebble that settled.
  public var outcome: Outcome? {
    if case .settled(_, let outcome, _, _) = happening { outcome } else { nil }
  }

  /// The cases that hold for the pebble that settled, in definition order.
  public var cases: [PebbleCase] {
    if case .settled(_, _, let cases, _) = happening { cases } else { [] }
  }

  /// The name of the pebble that caused this event's ``pebble`` to start or to be skipped; `nil` if
  /// there is no such pebble.
  public var cause: String? {
    if case .settled(_, _, _, let cause) = happening { cause } else { nil }
  }

  /// The names of the pebbles that waited for each other in a stall. If there are more than a
  /// hundred, only the first hundred are included.
  public var pebbles: [String] {
    if case .stalled(let pebbles) = happening { pebbles } else { [] }
  }

  /// Whether the run that ended had been cancelled.
  public var isCancelled: Bool {
    if case .runEnded(let isCancelled, _) = happening { isCancelled } else { false }
  }

  /// Whether the run that ended had an unhandled failure or a stray value, or missed the goal of
  /// its pond. For such a run, ``Report/check()`` throws an error.
  public var hasFailed: Bool {
    if case .runEnded(_, let hasFailed) = happening { hasFailed } else { false }
  }

  /// The reason for the shutdown that began.
  public var reason: RunCancellation? {
    if case .shutdownBegan(let reason) = happening { reason } else { nil }
  }

  /// The number of events that the observer lost.
  public var droppedCount: Int {
    if case .dropped(let count) = happening { count } else { 0 }
  }
}
