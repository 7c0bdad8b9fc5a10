/// The task of a pebble with its types erased.
///
/// Not copyable, and called in place: the reference counts of a closure that is copied before each
/// call take as long as the call. For the same reason bodies are `nonisolated(nonsending)` inside:
/// they start on the executor of their runner, without a look for another one.
enum Body: ~Copyable, Sendable {
  /// A body that neither reads inputs nor produces an output; it is called directly.
  case plain(Plain)

  /// Any other: reads its inputs from the run and boxes its output.
  case wired(Wired)

  /// A copy of a wired body, in a pond that has taken in another one. Apart, and behind a
  /// reference, lest every body become larger for it.
  case placed(Placed)

  /// A body around a callback.
  case callback(Callback)

  struct Plain: ~Copyable, Sendable {
    let typed: Typed<Void>

    @inline(__always)
    nonisolated(nonsending) borrowing func call() async throws { try await typed.call() }
  }

  struct Wired: ~Copyable, Sendable {
    let body: nonisolated(nonsending) @Sendable (BodyInputs) async throws -> AnyOutput

    /// What it returns in its box.
    let output: Any.Type

    @inline(__always)
    nonisolated(nonsending) borrowing func call(_ values: RunValues) async throws -> AnyOutput {
      try await body(BodyInputs(values: values, placement: nil))
    }
  }

  final class Placed: Sendable {
    fileprivate let body: nonisolated(nonsending) @Sendable (BodyInputs) async throws -> AnyOutput
    fileprivate let output: Any.Type
    fileprivate let placement: Placement

    fileprivate init(
      _ body: nonisolated(nonsending) @escaping @Sendable (BodyInputs) async throws -> AnyOutput,
      _ output: Any.Type, _ placement: Placement
    ) {
      self.body = body
      self.output = output
      self.placement = placement
    }

    nonisolated(nonsending) func call(_ values: RunValues) async throws -> AnyOutput {
      try await body(BodyInputs(values: values, placement: placement))
    }
  }

  struct Callback: ~Copyable, Sendable {
    let body: @Sendable (Completion) async throws -> Void
  }

  /// A body as it was given. As a field of a generic type the closure has the same calling
  /// convention for every `Output`, so for `Void` it needs no wrapper.
  struct Typed<Output: Sendable>: Sendable {
    let call: nonisolated(nonsending) @Sendable () async throws -> Output
  }

  @inline(__always)
  init<Output: Sendable>(
    _ body: consuming nonisolated(nonsending) @escaping @Sendable () async throws -> Output
  ) {
    if Output.self == Void.self {
      // `Output` is `Void`, so this is a cast to the very same type.
      self = .plain(Plain(typed: unsafeBitCast(Typed(call: body), to: Typed<Void>.self)))
    } else {
      let typed = Typed(call: body)
      self = .wired(
        Wired(body: { _ in OutputBox(try await typed.call()) }, output: Output.self))
    }
  }

  /// A body that does nothing, for pebbles whose task is elsewhere.
  static func none() -> Body {
    .plain(Plain(typed: Typed(call: {})))
  }

  init<Output: Sendable>(
    wired body: nonisolated(nonsending) @escaping @Sendable (BodyInputs) async throws -> Output
  ) {
    self = .wired(
      Wired(body: { inputs in OutputBox(try await body(inputs)) }, output: Output.self))
  }

  init(callback body: @escaping @Sendable (Completion) async throws -> Void) {
    self = .callback(Callback(body: body))
  }

  /// What the body returns; `nil` if it never has an output.
  var output: Any.Type? {
    switch self {
    case .plain: nil
    case .wired(let wired): wired.output
    case .placed(let placed): placed.output
    case .callback: nil
    }
  }

  /// The same body for a copy of its pebble that stands where the pebble stands.
  borrowing func copy() -> Body {
    switch self {
    case .plain(let plain): .plain(Plain(typed: plain.typed))
    case .wired(let wired): .wired(Wired(body: wired.body, output: wired.output))
    case .placed(let placed): .placed(placed)
    case .callback(let callback): .callback(Callback(body: callback.body))
    }
  }

  /// The same body for a copy of its pebble in another definition.
  borrowing func copy(movedBy relocation: inout Relocation) -> Body {
    switch self {
    case .plain(let plain):
      .plain(Plain(typed: plain.typed))
    case .wired(let wired):
      .placed(Placed(wired.body, wired.output, relocation.moved(nil)))
    case .placed(let placed):
      .placed(Placed(placed.body, placed.output, relocation.moved(placed.placement)))
    case .callback(let callback):
      .callback(Callback(body: callback.body))
    }
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
