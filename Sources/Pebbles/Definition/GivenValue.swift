/// A value that is passed to a run as the output of one of its pebbles.
///
/// ```swift
/// let user = pond.given("user", User.self)
/// let size = pond.given("size", default: 20)
/// let page = pond.pebble("page", needs: user, size) { try await api.page(of: $0, size: $1) }
///
/// let report = try await pond.run(given: [user.value(ada), size.value(3)])
/// ```
public struct GivenValue: Sendable {
  package let pebble: PebbleReference
  package let output: AnyOutput

  package init(pebble: PebbleReference, output: AnyOutput) {
    self.pebble = pebble
    self.output = output
  }
}

extension Pebble {
  /// Returns a value to pass to a run as the output of this pebble; see ``GivenValue``. The run
  /// throws ``PondError`` if the pebble was not added with `given`.
  ///
  /// - Parameter value: The value.
  /// - Returns: The value together with its pebble.
  public func value(_ value: Output) -> GivenValue {
    GivenValue(pebble: reference, output: OutputBox(value))
  }
}

extension PebbleTrait {
  /// Declares that the pebble has no body, and that its output is a value passed to each run.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - value: The default value; `nil` if every run must be given a value.
  /// - Returns: The trait.
  static func given<Value: Sendable>(_ type: Value.Type, default value: AnyOutput?) -> PebbleTrait {
    PebbleTrait {
      $0.given = PebbleTraits.Given(output: type, value: value) {
        ($0 as? Value).map(OutputBox.init)
      }
    }
  }
}

extension PebbleTraits {
  /// The type of a given value, and the default value, if any.
  struct Given: Sendable {
    let output: Any.Type
    let value: AnyOutput?

    /// A function that boxes a value, or returns `nil` if the value has the wrong type.
    var boxed: @Sendable (Any) -> AnyOutput? = { _ in nil }
  }
}
