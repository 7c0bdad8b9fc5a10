/// Code that wraps every attempt of every pebble, for example for tracing spans, log metadata or
/// fault injection.
///
/// ```swift
/// let pond = Pond("boot", around: { context, body in
///   try await withSpan(context.pebble) { _ in try await body() }
/// })
/// ```
///
/// The code must call the body exactly once. If the body throws, the attempt fails even if the code
/// catches the error; the code can throw a different error in its place. If the code calls the body
/// more than once, or returns without calling it, the attempt fails with ``AroundError``. If the
/// task is cancelled before the code calls the body, the body does not run and the call throws
/// `CancellationError`.
public typealias Around =
  @Sendable (PebbleContext, _ body: @Sendable () async throws -> Void) async throws -> Void

/// An error indicating that an ``Around`` did not call the body exactly once.
///
/// Later versions may add errors.
@nonexhaustive public enum AroundError: Error, CustomStringConvertible {
  /// An error indicating that an `Around` returned without calling the body.
  case bodyNotCalled

  /// An error indicating that an `Around` called the body more than once. Only the first call ran
  /// the body.
  case bodyCalledAgain

  /// A sentence that describes the error.
  public var description: String {
    switch self {
    case .bodyNotCalled: "the closure around its body returned without calling it"
    case .bodyCalledAgain: "the closure around its body called it a second time"
    }
  }
}
