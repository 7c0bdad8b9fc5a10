/// Something that happened in a run, as `run.events` tells it.
public struct RunEvent: Sendable {
  /// When it happened, since the start of the run.
  ///
  /// Events that happen at the same time on different threads may be told in an order other than
  /// that of their times. Those of one pebble are in order, and that a body has ended is told
  /// before anything that follows from it.
  public let time: Duration

  /// What happened.
  public let kind: Kind

  /// What can happen in a run. Pebbles are given by their names.
  public enum Kind: Sendable {
    /// The pebble's condition became true: it will start as soon as it can.
    case ready(String)

    /// The pebble's body was called, the first time with `attempt` 1.
    case attemptStarted(String, attempt: Int)

    /// The pebble's body failed with this error. Another attempt may follow; if not, the pebble
    /// settles.
    case attemptFailed(String, attempt: Int, any Error)

    /// The pebble has its outcome. `cause` is the pebble whose settling let this one start, or
    /// decided that it would not; `nil` if there was no such pebble.
    case settled(String, Outcome, cause: String?)

    /// A service that had been up is no longer, because it failed with this error or, if `nil`,
    /// because it returned.
    case serviceEnded(String, (any Error)?)

    /// Nothing ran, nothing was ready, and these pebbles were waiting for each other.
    case stalled([String])

    /// The run is over: the last event, but for services that go on and may end later.
    case runEnded(isCancelled: Bool)

    /// Not something that happened but something not told: so many events stood here and were
    /// dropped, because this observer had not taken them in time. The event's time is that of the
    /// last one dropped.
    case dropped(Int)
  }
}
