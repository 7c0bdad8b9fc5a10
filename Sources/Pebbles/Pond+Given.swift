extension Pond {
  /// Adds a value that every run is given: a parameter of the run.
  ///
  /// ```swift
  /// let user = pond.given("user", User.self)
  /// let home = pond.pebble("home", needs: user) { user in try await api.home(of: user) }
  ///
  /// let report = try await pond.run(given: [user.value(ada)])
  /// ```
  ///
  /// It reads like any pebble that has succeeded, from the start of the run: as an input, in a
  /// condition, and by its cases, such as `user.is(.guest)`. A run that is given no value for it,
  /// or several, is a ``PondError``, unless nothing reads it that the run is of.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it; not empty, and unique in the pond.
  ///   - type: What it is.
  /// - Returns: A handle, as of any pebble.
  /// - Complexity: O(1) amortized.
  public func given<Value: Sendable>(
    _ name: String, _ type: Value.Type = Value.self
  ) -> Pebble<Value> {
    add(name, [.given(type, default: nil)], needs: nil, when: .always, nil, .none())
  }

  /// Adds a value that a run may be given: a parameter of the run with a default.
  ///
  /// ```swift
  /// let size = pond.given("size", default: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it; not empty, and unique in the pond.
  ///   - value: What it is in a run that is given no other.
  /// - Returns: A handle, as of any pebble.
  /// - Complexity: O(1) amortized.
  public func given<Value: Sendable>(_ name: String, default value: Value) -> Pebble<Value> {
    let given = PebbleTrait.given(Value.self, default: OutputBox(value))
    return add(name, [given], needs: nil, when: .always, nil, .none())
  }
}
