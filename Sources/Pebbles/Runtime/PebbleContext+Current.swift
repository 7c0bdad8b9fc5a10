extension PebbleContext {
  /// The pebble whose body or teardown is running; `nil` outside of these.
  ///
  /// As with any task-local value, the children of the body's task have it too. So does a `Task`
  /// that the body has started, even if it outlives the body.
  public static var current: PebbleContext? { ContextSlot.current?.context }
}
