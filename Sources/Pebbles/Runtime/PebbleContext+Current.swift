extension PebbleContext {
  /// The pebble whose body or teardown is running; `nil` outside of these.
  ///
  /// As with any task-local value, the child tasks of the body's task inherit it. So does a `Task`
  /// that the body starts, even if that task outlives the body.
  public static var current: PebbleContext? { ContextSlot.current?.context }
}
