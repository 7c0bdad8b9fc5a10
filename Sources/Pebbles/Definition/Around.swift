/// Code around every attempt of every pebble: for tracing spans, log metadata, fault injection.
///
/// ```swift
/// let pond = Pond("boot", around: { context, body in
///   try await withSpan(context.pebble) { _ in try await body() }
/// })
/// ```
///
/// It calls the body once and lets its error through, or throws one itself instead. An attempt
/// whose body was not called, or called twice, fails with ``AroundError``. In a task that has been
/// cancelled meanwhile, the call throws `CancellationError` instead.
public typealias Around =
  @Sendable (PebbleContext, _ body: @Sendable () async throws -> Void) async throws -> Void

/// An ``Around`` did not call the body exactly once.
///
/// More errors may come with later versions.
public struct AroundError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable {
    case bodyNotCalled
    case bodyCalledAgain
  }

  package let kind: Kind

  /// It returned without having called the body.
  public static let bodyNotCalled = AroundError(kind: .bodyNotCalled)

  /// It called the body again. The body was not called a second time.
  public static let bodyCalledAgain = AroundError(kind: .bodyCalledAgain)

  /// The error as a sentence.
  public var description: String {
    switch kind {
    case .bodyNotCalled: "what is around its body returned without calling it"
    case .bodyCalledAgain: "what is around its body called it a second time"
    }
  }
}

extension AroundError {
  /// Lets `catch AroundError.bodyNotCalled` name the error, as that of an enum.
  public static func ~= (match: AroundError, error: any Error) -> Bool {
    error as? AroundError == match
  }
}
