/// The rule for when the clock may advance while schedules are explored.
public enum Timers: Sendable, Hashable {
  /// A clock that advances only when no task can run: time stands still while anything runs on the
  /// thread of the schedule. There are far fewer schedules than with ``anytime``, and a task times
  /// out only if it really waits, or if its work on another thread takes too long; see
  /// ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)``.
  case whenIdle

  /// A clock that may advance at any time, as if each task might have to wait for a processor, so
  /// that a task may time out in the middle of its work. Bodies may then end differently in
  /// different schedules.
  case anytime
}
