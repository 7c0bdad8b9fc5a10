/// The type-erased output of a pebble, or a value stored in its place, such as the error of a
/// failed pebble. A reference to an instance takes one word.
///
/// This class is safe to share: it has no state, and its subclasses only add constants.
package class AnyOutput: @unchecked Sendable {
  /// The output as an encodable value; `nil` if there is no output or its type is not `Encodable`.
  package var encodable: (any Encodable)? { nil }

  /// Whether the type of the output is `Void`.
  package var isVoid: Bool { false }

  /// The name of the output's type, as shown in errors.
  package var typeName: String { "unknown" }

  /// Returns whether the other output is the same object or contains an equal value of the same
  /// `Equatable` type.
  package func isSame(as other: AnyOutput) -> Bool { self === other }

  /// Returns a box with an error that a body threw.
  package static func failure(_ error: any Error) -> AnyOutput { ErrorBox(error) }
}

extension AnyOutput? {
  /// Returns the output if it has the given type; otherwise `nil`. If the body returned no output,
  /// the output counts as `()`.
  @inline(__always)
  func output<Output: Sendable>(as type: Output.Type) -> Output? {
    guard let self else { return Output.self == Void.self ? () as? Output : nil }
    return (self as? OutputBox<Output>)?.output
  }
}

// Safe: a constant.
final class OutputBox<Output: Sendable>: AnyOutput, @unchecked Sendable {
  let output: Output

  init(_ output: Output) {
    self.output = output
  }

  override var encodable: (any Encodable)? { output as? any Encodable }

  override var isVoid: Bool { Output.self == Void.self }

  override package var typeName: String { "\(Output.self)" }

  override package func isSame(as other: AnyOutput) -> Bool {
    guard self !== other else { return true }
    guard let known = output as? any Equatable, let other = other as? OutputBox else {
      return false
    }
    return known.isEqual(to: other.output)
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}

// Safe: a constant.
final class ErrorBox: AnyOutput, @unchecked Sendable {
  let error: any Error

  init(_ error: any Error) {
    self.error = error
  }
}

/// An output that is no longer available, although its pebble has succeeded.
///
/// This class is safe to share, because its instances never change.
package final class MissingOutput: AnyOutput, @unchecked Sendable {
  /// The reason, worded to follow the pebble's name in a sentence, such as
  /// `"is a service, which ended with its process"`.
  package let clause: String

  package init(_ clause: String) {
    self.clause = clause
  }
}
