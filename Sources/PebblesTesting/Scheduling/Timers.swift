/// When the clock may advance while a schedule is explored.
public enum Timers: Sendable, Hashable {
  /// Only when no task can go on: time stands still while anything runs on the thread of the
  /// schedule. There are far fewer schedules, and a timeout strikes only what really waits, or has
  /// been elsewhere for too long, see
  /// ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)``.
  case whenIdle

  /// At any time: how long tasks take to get their turn is not known, and a timeout may strike in
  /// the midst of things. Bodies may then end differently in different schedules.
  case anytime
}
