/// A value that a run is given for one of its pebbles.
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
  /// What a run is given for the pebble; see ``GivenValue``. That the pebble is none which is
  /// given, is an error of the run.
  ///
  /// - Parameter value: The value.
  /// - Returns: What to hand to the run.
  public func value(_ value: Output) -> GivenValue {
    GivenValue(pebble: reference, output: OutputBox(value))
  }
}

extension PebbleTrait {
  /// The pebble has no body: its output is what a run is given.
  ///
  /// - Parameters:
  ///   - type: What it is.
  ///   - value: What it is if the run is given nothing; `nil` if that is an error.
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
  /// What a pebble without a body is if a run is given nothing for it.
  struct Given: Sendable {
    let output: Any.Type
    let value: AnyOutput?

    /// A value in its box; `nil` if it is of another type.
    var boxed: @Sendable (Any) -> AnyOutput? = { _ in nil }
  }
}
