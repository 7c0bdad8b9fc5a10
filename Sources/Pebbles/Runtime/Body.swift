/// The task of a pebble with its types erased.
enum Body: Sendable {
  /// A body that neither reads inputs nor produces an output; it is called directly.
  case plain(Typed<Void>)

  /// Any other: reads its inputs from the run and boxes its output.
  case wired(@Sendable (RunStorage) async throws -> AnyOutput)

  /// A body around a callback.
  case callback(@Sendable (Completion) async throws -> Void)

  /// A body as it was given. As a field of a generic type the closure has the same calling
  /// convention for every `Output`, so for `Void` it needs no wrapper.
  struct Typed<Output: Sendable>: Sendable {
    let call: @Sendable () async throws -> Output
  }

  init<Output: Sendable>(_ body: @escaping @Sendable () async throws -> Output) {
    if Output.self == Void.self {
      // `Output` is `Void`, so this is a cast to the very same type.
      self = .plain(unsafeBitCast(Typed(call: body), to: Typed<Void>.self))
    } else {
      self = .wired { _ in OutputBox(try await body()) }
    }
  }

  init<Output: Sendable>(wired body: @escaping @Sendable (RunStorage) async throws -> Output) {
    self = .wired { storage in OutputBox(try await body(storage)) }
  }

  init(callback body: @escaping @Sendable (Completion) async throws -> Void) {
    self = .callback(body)
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
