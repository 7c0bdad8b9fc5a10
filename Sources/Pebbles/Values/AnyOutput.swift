/// What a pebble produced, or the error it failed with, behind a reference of one word.
///
/// Safe to share: it has no state, and its subclasses only add constants.
package class AnyOutput: @unchecked Sendable {
  /// The output, if it can leave the process; `nil` if it is none or cannot be encoded.
  package var encodable: (any Encodable)? { nil }

  /// Whether there is nothing to it: the body returned `Void`.
  package var isVoid: Bool { false }

  /// What the output is called in an error.
  package var typeName: String { "unknown" }

  /// Whether the other one is this one, or is equal to it and can be compared.
  package func isSame(as other: AnyOutput) -> Bool { self === other }

  /// What a body threw, from what is left of it.
  package static func failure(_ error: any Error) -> AnyOutput { ErrorBox(error) }
}

extension AnyOutput? {
  /// The output, if it is of this type; a body without an output has the output `Void`.
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
