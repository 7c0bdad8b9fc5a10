/// The type-erased task of a pebble.
///
/// A body is noncopyable and is called in place, because retaining and releasing a copy of its
/// closure would take as long as the call itself. To save more time, bodies are
/// `nonisolated(nonsending)`: they start on the executor of their runner, so no other executor has
/// to be determined.
enum Body: ~Copyable, Sendable {
  /// A body that neither reads inputs nor produces an output; it is called directly.
  case plain(Plain)

  /// Any other body: it reads its inputs from the run and boxes its output.
  case wired(any WiredBody)

  /// A copy of a wired body, made when the original's pond was added to another pond.
  case placed(PlacedBody)

  /// A body that reports its outcome through a callback.
  case callback(Callback)

  struct Plain: ~Copyable, Sendable {
    let typed: Typed<Void>

    @inline(__always)
    nonisolated(nonsending) borrowing func call() async throws { try await typed.call() }
  }

  struct Callback: ~Copyable, Sendable {
    let body: @Sendable (Completion) async throws -> Void
  }

  /// A body as the user wrote it. Storing the closure in a generic type gives it the same calling
  /// convention for every `Output`, and avoids a wrapper if `Output` is `Void`.
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
      self = .wired(OutputBody(Typed(call: body)))
    }
  }

  /// Returns a body that does nothing, for a service or for a pebble whose body is never called.
  static func none() -> Body {
    .plain(Plain(typed: Typed(call: {})))
  }

  init<Output: Sendable>(
    wired body: nonisolated(nonsending) @escaping @Sendable (BodyInputs) async throws -> Output
  ) {
    self = .wired(InputBody(body))
  }

  init(callback body: @escaping @Sendable (Completion) async throws -> Void) {
    self = .callback(Callback(body: body))
  }

  /// The type of the body's output; `nil` for a body that never has an output.
  var output: Any.Type? {
    switch self {
    case .plain: nil
    case .wired(let wired): wired.output
    case .placed(let placed): placed.output
    case .callback: nil
    }
  }

  /// Returns a value in a box, as if the body had returned the value; `nil` if the body cannot
  /// return a value of that type.
  func boxed(_ output: Any) -> AnyOutput? {
    switch self {
    case .plain: nil
    case .callback: nil
    case .wired(let wired): wired.boxed(output)
    case .placed(let placed): placed.boxed(output)
    }
  }

  /// Returns a copy of the body for a copy of the pebble at the same position.
  borrowing func copy() -> Body {
    switch self {
    case .plain(let plain): .plain(Plain(typed: plain.typed))
    case .wired(let wired): .wired(wired)
    case .placed(let placed): .placed(placed)
    case .callback(let callback): .callback(Callback(body: callback.body))
    }
  }

  /// Returns a copy of the body for a copy of the pebble in another definition.
  borrowing func copy(movedBy relocation: inout Relocation) -> Body {
    switch self {
    case .plain(let plain):
      .plain(Plain(typed: plain.typed))
    case .wired(let wired):
      .placed(PlacedBody(wired, relocation.moved(nil)))
    case .placed(let placed):
      .placed(placed.moved(by: &relocation))
    case .callback(let callback):
      .callback(Callback(body: callback.body))
    }
  }
}

/// The source of a body's inputs: the values of the run, and the positions of the pebbles that the
/// body mentions.
struct BodyInputs: Sendable {
  let values: RunValues
  let placement: Placement?

  /// Returns the position that a pebble mentioned by the body has in the running pond.
  @inline(__always)
  func position(of pebble: PebbleReference) -> Int {
    placement?.position(of: pebble) ?? Int(pebble.index)
  }
}
