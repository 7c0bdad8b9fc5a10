extension Pond {
  /// Adds a parameter without a default value. A value for it must be given to every run.
  ///
  /// ```swift
  /// let user = pond.given("user", User.self)
  /// let home = pond.pebble("home", needs: user) { user in try await api.home(of: user) }
  ///
  /// let report = try await pond.run(given: [user.value(ada)])
  /// ```
  ///
  /// The value can be used like a pebble that has succeeded at the start of the run: as an input,
  /// in a condition, and through its cases, such as `user.is(.guest)`. A run must be given exactly
  /// one value for the returned handle; otherwise, starting the run throws ``PondError``. Only a
  /// run limited to pebbles that do not need the value can be started without it.
  ///
  /// - Parameters:
  ///   - name: The name of the value in reports and pictures. It must be nonempty, and unique in
  ///     the pond.
  ///   - type: The type of the value.
  /// - Returns: A handle that can be used like that of any pebble.
  /// - Complexity: O(1) amortized.
  public func given<Value: Sendable>(
    _ name: String, _ type: Value.Type = Value.self
  ) -> Pebble<Value> {
    add(name, [.given(type, default: nil)], needs: nil, when: .always, nil, .none())
  }

  /// Adds a parameter with a default value. Another value can be given to a run.
  ///
  /// ```swift
  /// let size = pond.given("size", default: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the value in reports and pictures. It must be nonempty, and unique in
  ///     the pond.
  ///   - value: The value that a run uses if no other value is given.
  /// - Returns: A handle that can be used like that of any pebble.
  /// - Complexity: O(1) amortized.
  public func given<Value: Sendable>(_ name: String, default value: Value) -> Pebble<Value> {
    let given = PebbleTrait.given(Value.self, default: OutputBox(value))
    return add(name, [given], needs: nil, when: .always, nil, .none())
  }
}
