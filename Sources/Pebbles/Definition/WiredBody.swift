/// A body that reads inputs from the run, or whose output is boxed. It is stored by reference to
/// keep every `Body` small.
protocol WiredBody: AnyObject, Sendable {
  /// The type of the output that the body puts in a box.
  var output: Any.Type { get }

  /// Returns a value in a box, as if the body had returned the value. Returns `nil` if the value
  /// does not have the output type of the body.
  func boxed(_ output: Any) -> AnyOutput?

  nonisolated(nonsending) func call(_ inputs: BodyInputs) async throws -> AnyOutput
}

/// A body that reads no inputs.
final class OutputBody<Output: Sendable>: WiredBody {
  private let typed: Body.Typed<Output>

  init(_ typed: Body.Typed<Output>) {
    self.typed = typed
  }

  var output: Any.Type { Output.self }

  func boxed(_ output: Any) -> AnyOutput? { (output as? Output).map(OutputBox.init) }

  nonisolated(nonsending) func call(_ inputs: BodyInputs) async throws -> AnyOutput {
    OutputBox(try await typed.call())
  }
}

/// A body that reads its inputs from the run.
final class InputBody<Output: Sendable>: WiredBody {
  typealias Call = nonisolated(nonsending) @Sendable (BodyInputs) async throws -> Output

  private let body: Call

  init(_ body: @escaping Call) {
    self.body = body
  }

  var output: Any.Type { Output.self }

  func boxed(_ output: Any) -> AnyOutput? { (output as? Output).map(OutputBox.init) }

  nonisolated(nonsending) func call(_ inputs: BodyInputs) async throws -> AnyOutput {
    OutputBox(try await body(inputs))
  }
}

/// A copy of a body, made when the body's pond is added to another pond.
final class PlacedBody: Sendable {
  private let body: any WiredBody
  private let placement: Placement

  init(_ body: any WiredBody, _ placement: Placement) {
    self.body = body
    self.placement = placement
  }

  var output: Any.Type { body.output }

  func boxed(_ output: Any) -> AnyOutput? { body.boxed(output) }

  nonisolated(nonsending) func call(_ values: RunValues) async throws -> AnyOutput {
    try await body.call(BodyInputs(values: values, placement: placement))
  }

  /// Returns a copy of the body, moved to the pond to which the body's own pond was added.
  func moved(by relocation: inout Relocation) -> PlacedBody {
    PlacedBody(body, relocation.moved(placement))
  }
}
