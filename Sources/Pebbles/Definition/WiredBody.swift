/// A body that reads inputs from the run, or has an output to box. What it is made of is apart and
/// behind a reference, lest every body become larger for it.
protocol WiredBody: AnyObject, Sendable {
  /// What it returns in its box.
  var output: Any.Type { get }

  /// What it has returned, in its box; `nil` for what it cannot have.
  func boxed(_ output: Any) -> AnyOutput?

  nonisolated(nonsending) func call(_ inputs: BodyInputs) async throws -> AnyOutput
}

/// A body that reads nothing.
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

/// A body that finds for itself what it reads.
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

/// A copy of another body, in a pond that has taken in another one.
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

  /// The same, where the other pond has been taken in by yet another one.
  func moved(by relocation: inout Relocation) -> PlacedBody {
    PlacedBody(body, relocation.moved(placement))
  }
}

/// Where a body finds what other pebbles have produced.
struct BodyInputs: Sendable {
  let values: RunValues
  let placement: Placement?

  /// Where a pebble that the body mentions stands in the run.
  @inline(__always)
  func position(of pebble: PebbleReference) -> Int {
    placement?.position(of: pebble) ?? Int(pebble.index)
  }
}
