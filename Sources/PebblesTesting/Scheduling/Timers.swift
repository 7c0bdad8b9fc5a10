/// The moments at which the clock may advance while schedules are explored.
public enum Timers: Sendable, Hashable {
  /// The clock advances only when no task can go on: time stands still while anything runs on the
  /// thread of the schedule. There are far fewer schedules, and a timeout strikes only a task that
  /// really waits, or has been on another thread for too long; see
  /// ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)``.
  case whenIdle

  /// The clock may advance at any time: it is unknown how long tasks take to get their turn, and a
  /// timeout may strike in the midst of things. Bodies may then end differently in different
  /// schedules.
  case anytime
}
