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

  /// A body around a callback.
  case callback(Callback)

  struct Plain: ~Copyable, Sendable {
    let typed: Typed<Void>

    @inline(__always)
    nonisolated(nonsending) borrowing func call() async throws { try await typed.call() }
  }

  struct Wired: ~Copyable, Sendable {
    let body: nonisolated(nonsending) @Sendable (RunStorage) async throws -> AnyOutput

    @inline(__always)
    nonisolated(nonsending) borrowing func call(_ storage: RunStorage) async throws -> AnyOutput {
      try await body(storage)
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

  init<Output: Sendable>(
    _ body: consuming nonisolated(nonsending) @escaping @Sendable () async throws -> Output
  ) {
    if Output.self == Void.self {
      // `Output` is `Void`, so this is a cast to the very same type.
      self = .plain(Plain(typed: unsafeBitCast(Typed(call: body), to: Typed<Void>.self)))
    } else {
      let typed = Typed(call: body)
      self = .wired(Wired { _ in OutputBox(try await typed.call()) })
    }
  }

  /// A body that does nothing, for pebbles whose task is elsewhere.
  static func none() -> Body {
    .plain(Plain(typed: Typed(call: {})))
  }

  init<Output: Sendable>(
    wired body: nonisolated(nonsending) @escaping @Sendable (RunStorage) async throws -> Output
  ) {
    self = .wired(Wired { storage in OutputBox(try await body(storage)) })
  }

  init(callback body: @escaping @Sendable (Completion) async throws -> Void) {
    self = .callback(Callback(body: body))
  }
}

/// What a pebble produced, or the error it failed with, behind a reference of one word.
///
/// Safe to share: it has no state, and its subclasses only add constants.
class AnyOutput: @unchecked Sendable {}

// Safe: a constant.
final class OutputBox<Output: Sendable>: AnyOutput, @unchecked Sendable {
  let output: Output

  init(_ output: Output) {
    self.output = output
  }
}

// Safe: a constant.
final class ErrorBox: AnyOutput, @unchecked Sendable {
  let error: any Error

  init(_ error: any Error) {
    self.error = error
  }
}
