/// The moments at which the clock may advance while schedules are explored.
public enum Timers: Sendable, Hashable {
  /// A clock that advances only when no task can run: time stands still while anything runs on the
  /// thread of the schedule. There are far fewer schedules, and a task times out only if it really
  /// waits, or has been on another thread for too long; see
  /// ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)``.
  case whenIdle

  /// A clock that advances at any time, as if tasks could take any time to get their turn, so that
  /// a task may time out in the middle of its work. Bodies may then end differently in different
  /// schedules.
  case anytime
}
